"""What is measured: functions (study, replicates, number) → cells of the intervals of one study."""
