"""People without repetitions."""


def email_of(record):
    return (record.get("email") or "").strip().lower()


def phone_of(record):
    return "".join(character for character in (record.get("phone") or "") if character.isdigit())


def is_same(one, other):
    if email_of(one) != "" and email_of(one) == email_of(other):
        return True
    return phone_of(one) != "" and phone_of(one) == phone_of(other)


def unique(records):
    groups = []
    for record in records:
        joined = [group for group in groups if any(is_same(record, member) for member in group)]
        merged = [member for group in joined for member in group] + [record]
        groups = [group for group in groups if group not in joined] + [merged]
    kept = [min(group, key=lambda member: position(records, member)) for group in groups]
    return sorted(kept, key=lambda member: position(records, member))


def position(records, member):
    for index, record in enumerate(records):
        if record is member:
            return index
