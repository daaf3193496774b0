#pragma once

#include <exception>

#include "adapters/sql/database.hpp"
#include "adapters/sql/store_error.hpp"

namespace sluice::sql {

/// Runs a part of a transaction that may fail alone: then it is undone, and the rest goes on.
/// Returns the failure, or nullptr. Rethrows when the store is away or has undone the whole
/// transaction, since then nothing of it can be kept.
template <class Work>
std::exception_ptr run_part(Database& database, Work work) {
    database.run("SAVEPOINT part");
    std::exception_ptr failure;
    try {
        work();
    } catch (const StoreError& error) {
        if (error.is_outage() || error.is_retry()) throw;
        failure = std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) database.run("ROLLBACK TO SAVEPOINT part");
    database.run("RELEASE SAVEPOINT part");
    return failure;
}

}  // namespace sluice::sql
