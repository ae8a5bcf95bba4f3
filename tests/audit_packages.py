"""Known vulnerabilities of the locked packages, by pip-audit; skipped with a word where its service cannot be reached.

``python tests/audit_packages.py envs/requirements.txt``, in an environment that has pip-audit (make audit-packages).
"""

import json
import subprocess
import sys

SKIPPED = "pip-audit: skipped, as its service cannot be reached"


def report(text: str, error: str = "") -> tuple[int, str]:
    """Exit code and words for what pip-audit printed as JSON, and on its standard error."""
    try:
        packages = json.loads(text)["dependencies"]
    except (ValueError, KeyError, TypeError):
        reason = (error.strip().splitlines() or ["no output"])[-1]
        return 0, f"{SKIPPED}: {reason}"
    audited = [package for package in packages if "vulns" in package]
    if not audited:
        return 0, f"{SKIPPED}: none of {len(packages)} packages is known there"
    found = [
        f"{package['name']} {package['version']}: {entry['id']}, mended in {', '.join(entry['fix_versions']) or 'no version'}"
        for package in audited
        for entry in package["vulns"]
    ]
    lines = [f"pip-audit: {len(audited)} of {len(packages)} packages audited", *found]
    return (1 if found else 0), "\n".join(lines)


def main(requirements: str) -> int:
    command = [sys.executable, "-m", "pip_audit", "-r", requirements]
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--timeout", "10"]
    done = subprocess.run([*command, *options], capture_output=True, text=True)
    code, words = report(done.stdout, done.stderr)
    print(words)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
