"""What programs log besides numbers."""

import csv
import os

from . import _facts
from ._inert import Inert
from .errors import CommError


class Table:
    """Rows and columns; logged, it is a CSV file in the run's `out` folder."""

    #: Programs read and set them; a CSV file has no such limits.
    MAX_ROWS = 10000
    MAX_ARTIFACT_ROWS = 200000

    def __init__(self, columns=None, data=None, rows=None, dataframe=None, dtype=None, optional=True, **more):
        if dataframe is None and hasattr(data, "columns") and hasattr(data, "values"):
            dataframe = data
        if dataframe is not None:
            columns, data = list(dataframe.columns), dataframe.values.tolist()
        data = [list(row) for row in (data if data is not None else rows or [])]
        widest = max([len(row) for row in data] or [3])
        default = ["Input", "Output", "Expected"] if widest == 3 else ["column %d" % (n + 1) for n in range(widest)]
        self.columns = [str(name) for name in columns] if columns is not None else default
        self.data = data

    def add_data(self, *row):
        self.data.append(list(row))

    def add_row(self, *row):
        self.add_data(*(row[0] if len(row) == 1 and isinstance(row[0], (list, tuple)) else row))

    def add_column(self, name, data, optional=False):
        values = list(data)
        if not self.data:
            self.columns, self.data = [], [[] for _ in values]
        self.columns.append(str(name))
        for row, value in zip(self.data, values):
            row.append(value)

    def get_column(self, name, convert_to=None):
        index = self.columns.index(name)
        values = [row[index] for row in self.data]
        if convert_to != "numpy":
            return values
        import numpy  # who asks for an array has it

        return numpy.array(values)

    def to_data_array(self):
        return [list(row) for row in self.data]

    def __eq__(self, other):
        return isinstance(other, Table) and (self.columns, self.data) == (other.columns, other.data)

    __hash__ = None

    def iterrows(self):
        return iter(enumerate(self.data))

    def get_index(self):
        """Numbers of the rows."""
        return list(range(len(self.data)))

    def index_ref(self, index):
        return index

    def get_dataframe(self):
        import pandas  # who asks for one has it

        return pandas.DataFrame.from_records(self.data, columns=self.columns)

    def add_computed_columns(self, fn):
        """New columns out of `fn(number of the row, row as a dict)`, which gives a dict."""
        computed = [fn(number, dict(zip(self.columns, row))) for number, row in enumerate(self.data)]
        for name in dict.fromkeys(name for one in computed for name in one):
            self.add_column(name, [one.get(name) for one in computed])

    def cast(self, col_name, dtype, optional=False):
        """Types are not checked here: a CSV file has none."""
        if col_name not in self.columns:
            raise AssertionError("there is no column %r" % (col_name,))

    def set_pk(self, key_column):
        pass

    def set_fk(self, key_column, table, table_column):
        pass

    def write(self, key):
        path = os.path.join(_facts.out_dir, *_safe(key)) + ".csv"
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(self.columns)
            writer.writerows(self.data)


def _safe(key):
    """A key may look like a path; it must not lead out of the folder."""
    return [part for part in str(key).replace("\\", "/").split("/") if part not in ("", ".", "..")] or ["table"]


class Media(Inert):
    """Pictures, sounds and the like: accepted, and not kept."""


class Image(Media):
    pass


class Audio(Media):
    pass


class Video(Media):
    pass


class Html(Media):
    pass


class Histogram(Media):
    pass


class Object3D(Media):
    pass


class Molecule(Media):
    pass


class Plotly(Media):
    pass


class Graph(Media):
    pass


class Artifact(Media):
    """Files that go to the servers of W&B, or come from there. There are none here."""

    def __init__(self, name="artifact", type="dataset", description=None, metadata=None, **more):
        self.name = name
        self.type = type
        self.description = description
        self.metadata = metadata or {}

    def wait(self, timeout=None):
        return self

    def download(self, *args, **kwargs):
        raise CommError("the artifact %r is on the servers of W&B: download it first, and name the folder" % (self.name,))

    checkout = file = get = get_path = download
