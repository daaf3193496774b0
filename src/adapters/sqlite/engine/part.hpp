#pragma once

#include <exception>

#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {

/// Runs a part of a transaction that may fail alone: then it is undone, and the rest goes on. The
/// failure, or nullptr. Rethrows when the store is away, since nothing of the transaction can be
/// kept then.
template <class Work>
std::exception_ptr run_part(Database& database, Work work) {
    database.run("SAVEPOINT part");
    std::exception_ptr failure;
    try {
        work();
    } catch (const Error& error) {
        if (error.is_outage()) throw;
        failure = std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) database.run("ROLLBACK TO part");
    database.run("RELEASE part");
    return failure;
}

}  // namespace sluice::sqlite
