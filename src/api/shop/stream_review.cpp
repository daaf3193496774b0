#include "api/shop/stream_review.hpp"

namespace sluice::api {

Task<> StreamReview::review() {
    const auto now = clock_.now();
    auto present = hub_.present();
    std::erase_if(present, [&](const StreamHub::Presence& each) {
        const bool blocked =
            blocks_.holds(each.guest.buyer, now) || blocks_.holds(each.guest.address, now);
        if (blocked) hub_.dismiss(each.number, Dismissal::blocked);
        return blocked;
    });
    for (const auto& each : present) {
        const bool lives = co_await sessions_.lives(each.guest.session, now);
        if (!lives) hub_.dismiss(each.number, Dismissal::session_ended);
    }
}

}  // namespace sluice::api
