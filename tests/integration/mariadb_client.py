"""SQL to a MariaDB server by its own C library, which the build needs anyway."""

import ctypes
from contextlib import contextmanager
from decimal import Decimal

_FOUND_ROWS = 2  # an UPDATE counts the rows that it finds, as SQLite does
_SET_CHARSET_NAME = 7
_CONNECT_TIMEOUT, _READ_TIMEOUT, _WRITE_TIMEOUT = 0, 11, 12
_WHOLE = {1, 2, 3, 8, 9, 13}  # the types of whole numbers
_BROKEN = {4, 5}  # float and double
_DECIMAL = {0, 246}
_BINARY = 63  # the character set of bytes

# What the program sets for its own connections.
SQL_MODE = ("STRICT_ALL_TABLES,ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,NO_ENGINE_SUBSTITUTION,"
            "ONLY_FULL_GROUP_BY,SIMULTANEOUS_ASSIGNMENT,ERROR_FOR_DIVISION_BY_ZERO")


class _Field(ctypes.Structure):
    _fields_ = ([(name, ctypes.c_char_p) for name in
                 ("name", "org_name", "table", "org_table", "db", "catalog", "default")]
                + [("length", ctypes.c_ulong), ("max_length", ctypes.c_ulong)]
                + [(name, ctypes.c_uint) for name in
                   ("name_length", "org_name_length", "table_length", "org_table_length", "db_length",
                    "catalog_length", "default_length", "flags", "decimals", "charset", "type")]
                + [("extension", ctypes.c_void_p)])


def _load():
    library = ctypes.CDLL("libmariadb.so.3")
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ulong
    signatures = {
        "mysql_init": (pointer, [pointer]),
        "mysql_options": (ctypes.c_int, [pointer, ctypes.c_int, pointer]),
        "mysql_real_connect": (pointer, [pointer, text, text, text, text, ctypes.c_uint, text, number]),
        "mysql_real_query": (ctypes.c_int, [pointer, text, number]),
        "mysql_store_result": (pointer, [pointer]),
        "mysql_num_fields": (ctypes.c_uint, [pointer]),
        "mysql_fetch_fields": (ctypes.POINTER(_Field), [pointer]),
        "mysql_fetch_row": (ctypes.POINTER(ctypes.c_void_p), [pointer]),
        "mysql_fetch_lengths": (ctypes.POINTER(number), [pointer]),
        "mysql_free_result": (None, [pointer]),
        "mysql_field_count": (ctypes.c_uint, [pointer]),
        "mysql_affected_rows": (ctypes.c_ulonglong, [pointer]),
        "mysql_errno": (ctypes.c_uint, [pointer]),
        "mysql_error": (text, [pointer]),
        "mysql_close": (None, [pointer]),
        "mysql_stmt_init": (pointer, [pointer]),
        "mysql_stmt_prepare": (ctypes.c_int, [pointer, text, number]),
        "mysql_stmt_param_count": (number, [pointer]),
        "mysql_stmt_field_count": (ctypes.c_uint, [pointer]),
        "mysql_stmt_errno": (ctypes.c_uint, [pointer]),
        "mysql_stmt_error": (text, [pointer]),
        "mysql_stmt_close": (ctypes.c_char, [pointer]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class SqlError(Exception):
    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code


class Connection:
    """One connection, with the settings that the program makes for its own."""

    _library = None

    def __init__(self, *, socket=None, host="127.0.0.1", port=0, user="root", password="", database=None,
                 timeout=60):
        if Connection._library is None:
            Connection._library = _load()
        self._handle = self._library.mysql_init(None)
        self._library.mysql_options(self._handle, _SET_CHARSET_NAME, ctypes.c_char_p(b"utf8mb4"))
        for option in (_CONNECT_TIMEOUT, _READ_TIMEOUT, _WRITE_TIMEOUT):
            self._library.mysql_options(self._handle, option, ctypes.byref(ctypes.c_uint(timeout)))
        encode = lambda value: None if value is None else str(value).encode()
        # The C library goes to a socket file when the host is not given.
        done = self._library.mysql_real_connect(
            self._handle, None if socket else encode(host), encode(user), encode(password),
            encode(database), port, encode(socket), _FOUND_ROWS)
        if not done:
            error = self._error()
            self.close()
            raise error
        self.run(f"SET SESSION sql_mode = '{SQL_MODE}', time_zone = '+00:00'")
        self.run("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin")

    def run(self, sql):
        """How many rows a statement touched."""
        self._send(sql)
        result = self._library.mysql_store_result(self._handle)
        if result:
            self._library.mysql_free_result(result)
        return self._library.mysql_affected_rows(self._handle)

    def rows(self, sql):
        """The result of a query, as tuples of int, Decimal, float, str, bytes and None."""
        self._send(sql)
        result = self._library.mysql_store_result(self._handle)
        if not result:
            if self._library.mysql_errno(self._handle):
                raise self._error()
            return []
        try:
            count = self._library.mysql_num_fields(result)
            fields = self._library.mysql_fetch_fields(result)
            kinds = [(fields[i].type, fields[i].charset) for i in range(count)]
            found = []
            while row := self._library.mysql_fetch_row(result):
                lengths = self._library.mysql_fetch_lengths(result)
                found.append(tuple(_value(row[i], lengths[i], kinds[i]) for i in range(count)))
        finally:
            self._library.mysql_free_result(result)
        if self._library.mysql_errno(self._handle):
            raise self._error()
        return found

    def value(self, sql):
        return self.rows(sql)[0][0]

    def prepare(self, sql):
        """How many parameters and columns the server finds in a statement."""
        statement = self._library.mysql_stmt_init(self._handle)
        try:
            text = sql.encode()
            if self._library.mysql_stmt_prepare(statement, text, len(text)):
                raise SqlError(self._library.mysql_stmt_errno(statement),
                               self._library.mysql_stmt_error(statement).decode())
            return (self._library.mysql_stmt_param_count(statement),
                    self._library.mysql_stmt_field_count(statement))
        finally:
            self._library.mysql_stmt_close(statement)

    @contextmanager
    def transaction(self):
        """Committed at its end, rolled back after an exception."""
        self.run("START TRANSACTION")
        try:
            yield self
        except BaseException:
            self.run("ROLLBACK")
            raise
        self.run("COMMIT")

    def close(self):
        if self._handle:
            self._library.mysql_close(self._handle)
            self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _send(self, sql):
        text = sql.encode()
        if self._library.mysql_real_query(self._handle, text, len(text)):
            raise self._error()

    def _error(self):
        return SqlError(self._library.mysql_errno(self._handle),
                        self._library.mysql_error(self._handle).decode(errors="replace"))


def _value(place, length, kind):
    if place is None:
        return None
    data = ctypes.string_at(place, length)
    number_type, charset = kind
    if number_type in _WHOLE:
        return int(data)
    if number_type in _DECIMAL:
        return Decimal(data.decode())
    if number_type in _BROKEN:
        return float(data)
    return data if charset == _BINARY else data.decode()
