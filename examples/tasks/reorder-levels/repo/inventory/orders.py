"""What must be ordered so that no item falls below its level."""


def orders(stock):
    """One order for each item that needs one, the most urgent first.

    An item has `name`, `units` at hand, `level` (fewer must never be at hand), `weekly` use, `weeks` until a delivery
    arrives, and `box` (units are only sold in whole boxes).
    """
    found = []
    for item in stock:
        missing = item["level"] + item["weekly"] * item["weeks"] - item["units"]
        if missing > 0:
            boxes = missing // item["box"] + 1
            found.append({"item": item["name"], "boxes": boxes, "units": boxes * item["box"]})
    return sorted(found, key=lambda order: order["units"], reverse=True)
