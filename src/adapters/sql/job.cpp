#include "adapters/sql/job.hpp"

namespace sluice {

std::exception_ptr outage_of(const StoreError& error) {
    if (error.is_read_only()) return std::make_exception_ptr(ReadOnly(error.what()));
    return std::make_exception_ptr(Outage(error.what()));
}

std::exception_ptr translate_current(std::optional<std::string>& outage) {
    try {
        throw;
    } catch (const StoreError& error) {
        if (!error.is_outage()) return std::current_exception();
        outage = error.what();
        return outage_of(error);
    } catch (...) {
        return std::current_exception();
    }
}

}  // namespace sluice
