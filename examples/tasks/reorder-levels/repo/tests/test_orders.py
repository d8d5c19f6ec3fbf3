import unittest

from inventory.orders import orders

SCREWS = {"name": "screws", "units": 10, "level": 50, "weekly": 20, "weeks": 2, "box": 30}


class OrdersTest(unittest.TestCase):
    def test_orders_what_is_missing(self):
        self.assertEqual(orders([SCREWS]), [{"item": "screws", "boxes": 3, "units": 90}])

    def test_orders_nothing_if_there_is_enough(self):
        self.assertEqual(orders([{**SCREWS, "units": 90}]), [])


if __name__ == "__main__":
    unittest.main()
