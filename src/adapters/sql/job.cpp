#include "adapters/sql/job.hpp"

#include "adapters/sql/store_error.hpp"

namespace sluice {

std::exception_ptr translate_current(std::optional<std::string>& outage) {
    try {
        throw;
    } catch (const StoreError& error) {
        if (!error.is_outage()) return std::current_exception();
        outage = error.what();
        return std::make_exception_ptr(Outage(*outage));
    } catch (...) {
        return std::current_exception();
    }
}

}  // namespace sluice
