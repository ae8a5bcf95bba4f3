"""What every room shares: the table store, the step of a rule, configuration, errors, figures' theme."""
