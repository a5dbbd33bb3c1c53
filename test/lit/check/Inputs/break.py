"""break.py FILE FUNCTION OLD NEW: FILE with OLD replaced by NEW in the definitions of FUNCTION; fails where there is none."""
import re
import sys

path, function, old, new = sys.argv[1:]
text = open(path).read()
parts = re.split(rf"(^[\w:<>*& ]+ {function}\([^;{{]*\) \{{\n.*?^\}}\n)", text, flags=re.M | re.S)
changed = "".join(p.replace(old, new) if k % 2 else p for k, p in enumerate(parts))
if changed == text:
    sys.exit(f"'{old}' isn't in {function}")
sys.stdout.write(changed)
