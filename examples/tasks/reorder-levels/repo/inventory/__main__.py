import json
import sys

from inventory.orders import orders

with open(sys.argv[1]) as file:
    stock = json.load(file)
for order in orders(stock):
    print(f"{order['item']}: {order['boxes']} boxes, {order['units']} units")
