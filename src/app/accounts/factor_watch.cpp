#include "app/accounts/factor_watch.hpp"

#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice {

namespace json = boost::json;

Task<Done> FactorWatch::note_wrong(Actor actor) {
    const auto wrong = count(actor.id);
    if (wrong % kTold != 0) co_return Done{};
    log_.warn("second_factor.guessed",
              {{"user", actor.id.text()}, {"address", actor.address}, {"wrong", wrong}});
    const auto user = co_await users_.find(actor.id);
    {
        const MutexLock lock(mutex_);
        // Nobody may take them, and the latest are worth the most.
        if (guessed_.size() >= kMostAccounts) guessed_.clear();
        guessed_.push_back({actor.id, user ? user->name : std::string(), wrong});
    }
    const auto now = clock_.now();
    auto deed =
        make_deed(actor, DeedId{ids_.next(now)}, now, "user.second_factor_guessed", actor.id.text(),
                  "", json::serialize(json::object{{"wrong_codes", wrong}}));
    co_await trail_.add(std::move(deed));
    co_return Done{};
}

std::vector<FactorWatch::Guessed> FactorWatch::take() {
    const MutexLock lock(mutex_);
    return std::exchange(guessed_, {});
}

unsigned FactorWatch::count(UserId user) {
    const auto now = clock_.now();
    const MutexLock lock(mutex_);
    if (auto* const wrong = wrong_.find(user, now)) return ++*wrong;
    if (wrong_.size() >= kMostAccounts) wrong_.forget_first();
    wrong_.put(user, 1, now + kRemembered);
    return 1;
}

}  // namespace sluice
