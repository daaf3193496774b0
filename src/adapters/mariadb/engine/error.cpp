#include "adapters/mariadb/engine/error.hpp"

#include <algorithm>
#include <array>

#include <errmsg.h>
#include <mysqld_error.h>

namespace sluice::mariadb {
namespace {

constexpr bool is_one_of(unsigned code, const auto& codes) {
    return std::ranges::find(codes, code) != codes.end();
}

// The transaction conflicts with another one. After a lock that was not granted in time the server
// has undone only the statement; whoever runs the transaction again rolls it back first.
constexpr std::array<unsigned, 3> kLost{ER_LOCK_DEADLOCK, ER_LOCK_WAIT_TIMEOUT, ER_CHECKREAD};

// A standby, a server before a failover, or a full disk: reads go on.
constexpr std::array<unsigned, 7> kReadOnly{
    ER_OPTION_PREVENTS_STATEMENT,
    ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION,
    ER_READ_ONLY_MODE,
    ER_CANT_UPDATE_WITH_READLOCK,
    ER_DISK_FULL,
    ER_RECORD_FILE_FULL,
    ER_OPEN_AS_READONLY,
};

// The server has ended the connection, or says that it will.
constexpr std::array<unsigned, 12> kEnded{
    ER_CONNECTION_KILLED, ER_SERVER_SHUTDOWN,      ER_NORMAL_SHUTDOWN,
    ER_SHUTDOWN_COMPLETE, ER_ABORTING_CONNECTION,  ER_NEW_ABORTING_CONNECTION,
    ER_NET_READ_ERROR,    ER_NET_READ_INTERRUPTED, ER_NET_ERROR_ON_WRITE,
    CR_ERR_NET_READ,      CR_ERR_NET_WRITE,        CR_ERR_MISSING_ERROR_INFO,
};

// Other faults of the server and not of our statements: no room for another connection, no access,
// no memory, no file.
constexpr std::array<unsigned, 28> kAway{
    ER_CON_COUNT_ERROR,
    ER_TOO_MANY_USER_CONNECTIONS,
    ER_USER_LIMIT_REACHED,
    ER_ACCESS_DENIED_ERROR,
    ER_ACCESS_DENIED_NO_PASSWORD_ERROR,
    ER_DBACCESS_DENIED_ERROR,
    ER_BAD_DB_ERROR,
    ER_HOST_IS_BLOCKED,
    ER_HOST_NOT_PRIVILEGED,
    ER_NOT_SUPPORTED_AUTH_MODE,
    ER_QUERY_INTERRUPTED,
    ER_STATEMENT_TIMEOUT,
    ER_OUTOFMEMORY,
    ER_OUT_OF_SORTMEMORY,
    ER_OUT_OF_RESOURCES,
    ER_ERROR_ON_WRITE,
    ER_ERROR_ON_READ,
    ER_CANT_OPEN_FILE,
    ER_CANT_CREATE_FILE,
    ER_GET_ERRNO,
    ER_NOT_KEYFILE,
    ER_CRASHED_ON_USAGE,
    ER_CRASHED_ON_REPAIR,
    ER_LOCK_TABLE_FULL,
    ER_ERROR_DURING_COMMIT,
    ER_MAX_PREPARED_STMT_COUNT_REACHED,
    ER_TABLE_DEF_CHANGED,
    ER_UNKNOWN_COM_ERROR,
};

/// Wrong use of the library has such a code too, and is a bug.
constexpr std::array<unsigned, 7> kOurMistakes{
    CR_COMMANDS_OUT_OF_SYNC,
    CR_NO_PREPARE_STMT,
    CR_PARAMS_NOT_BOUND,
    CR_INVALID_PARAMETER_NO,
    CR_INVALID_BUFFER_USE,
    CR_UNSUPPORTED_PARAM_TYPE,
    CR_NO_DATA,
};

}  // namespace

bool Error::is_outage() const {
    return is_lost() || is_read_only() || is_one_of(code_, kAway);
}

bool Error::is_read_only() const {
    return is_one_of(code_, kReadOnly);
}

bool Error::is_retry() const {
    return is_one_of(code_, kLost);
}

bool Error::is_lost() const {
    if (is_one_of(code_, kEnded)) return true;
    return code_ >= CR_MIN_ERROR && code_ <= CR_MAX_ERROR && !is_one_of(code_, kOurMistakes);
}

bool Error::is_duplicate() const {
    return code_ == ER_DUP_ENTRY;
}

}  // namespace sluice::mariadb
