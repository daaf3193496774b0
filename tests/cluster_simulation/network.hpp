#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/local_loop.hpp"
#include "base/outage.hpp"
#include "simulation/chance.hpp"

namespace sluice::cluster_simulation {

using simulation::Chance;

/// A call that is waited for.
class Pending {
  public:
    virtual ~Pending() = default;
    /// The waiting coroutine is destroyed.
    virtual void abandon() = 0;
};

/// One life of a simulated process. Work under way may outlive it.
struct Life {
    std::string name;
    bool is_alive = true;
    bool is_frozen = false;
    std::vector<std::shared_ptr<Pending>> pending;

    void forget(const Pending* call);
};

/// Everything that is under way in the cluster. Chance decides what happens next, so any order that
/// networks and machines could produce is possible, and the same seed produces it again.
class Network {
  public:
    using Tell = std::function<void(std::string)>;

    Network(LocalLoop& loop, Chance& chance) : loop_(loop), chance_(chance) {}

    /// From here on messages are only late, never lost or doubled.
    void end_faults() { has_faults_ = false; }
    /// Whether a fault that strikes one time in `count` does so now.
    bool strikes(std::int64_t count) { return has_faults_ && chance_.one_in(count); }
    Chance& chance() { return chance_; }

    /// Reports every event as text, if there is a listener.
    void listen(Tell tell) { tell_ = std::move(tell); }
    bool is_heard() const { return static_cast<bool>(tell_); }
    void tell(std::string event) const {
        if (tell_) tell_(std::move(event));
    }

    /// Done when it is picked; never while `life` is frozen, nor after its end. Without a life it
    /// is always done.
    void park(std::shared_ptr<Life> life, std::move_only_function<void()> deed);

    /// How often a call goes wrong: one time in so many; 0 is never.
    struct Faults {
        std::int64_t lost = 14;  // the request, or the answer
        std::int64_t late = 20;  // the caller stops waiting before the request arrives
        std::int64_t doubled = 14;
    };
    /// Lets a service do `work` for the caller, once, twice, later or never. Throws what `work`
    /// throws, or UnknownOutcome when there was no answer in time.
    template <class T, class Work>
    Task<T> call(std::shared_ptr<Life> caller, std::string what, Faults faults, Work work);

    /// Lets one thing happen and everything that follows from it without waiting. False when
    /// nothing can happen.
    bool step();
    bool is_empty() const { return parked_.empty(); }
    std::size_t size() const { return parked_.size(); }

  private:
    struct Parked {
        std::shared_ptr<Life> life;
        std::move_only_function<void()> deed;
    };
    template <class T>
    struct Call final : Pending {
        Completion<std::optional<T>> completion;
        void abandon() override { completion = nullptr; }
    };
    template <class T>
    struct Answer {
        std::exception_ptr failure;
        std::optional<T> value;
    };

    template <class T, class Work>
    void arrive(std::shared_ptr<Life> caller, std::shared_ptr<Call<T>> call,
                const std::string& what, Faults faults, std::shared_ptr<Work> work);
    template <class Work>
    void do_alone(const std::string& what, std::shared_ptr<Work> work);
    template <class T>
    void answer(std::shared_ptr<Life> caller, std::shared_ptr<Call<T>> call, Answer<T> answer);
    bool may_strike(std::int64_t count) { return count > 0 && strikes(count); }
    static std::exception_ptr no_answer();

    LocalLoop& loop_;
    Chance& chance_;
    bool has_faults_ = true;
    Tell tell_;
    std::vector<Parked> parked_;
};

template <class T, class Work>
Task<T> Network::call(std::shared_ptr<Life> caller, std::string what, Faults faults, Work work) {
    auto start = [&](Completion<std::optional<T>> completion) {
        auto call = std::make_shared<Call<T>>();
        call->completion = std::move(completion);
        caller->pending.push_back(call);
        auto shared = std::make_shared<Work>(std::move(work));
        park(nullptr, [this, caller, call, what = std::move(what), faults,
                       shared = std::move(shared)]() mutable {
            arrive<T>(std::move(caller), std::move(call), what, faults, std::move(shared));
        });
    };
    auto value = co_await await_completion<std::optional<T>>(std::move(start));
    co_return std::move(*value);
}

template <class T, class Work>
void Network::arrive(std::shared_ptr<Life> caller, std::shared_ptr<Call<T>> call,
                     const std::string& what, Faults faults, std::shared_ptr<Work> work) {
    Answer<T> reply{no_answer(), std::nullopt};
    if (may_strike(faults.lost)) {
        if (is_heard()) tell(caller->name + ": " + what + " is lost");
        return answer<T>(std::move(caller), std::move(call), std::move(reply));
    }
    if (may_strike(faults.late)) {
        if (is_heard()) tell(caller->name + ": " + what + " is late");
        do_alone(what, std::move(work));
        return answer<T>(std::move(caller), std::move(call), std::move(reply));
    }
    if (is_heard()) tell(caller->name + ": " + what);
    try {
        reply.value = (*work)();
        reply.failure = nullptr;
    } catch (const Outage&) {
        reply.failure = std::current_exception();
    }
    if (may_strike(faults.doubled)) do_alone(what, std::move(work));
    if (may_strike(faults.lost)) {
        if (is_heard()) tell(caller->name + ": the answer to " + what + " is lost");
        reply = {no_answer(), std::nullopt};
    }
    answer<T>(std::move(caller), std::move(call), std::move(reply));
}

template <class Work>
void Network::do_alone(const std::string& what, std::shared_ptr<Work> work) {
    park(nullptr, [this, what, work = std::move(work)] {
        if (is_heard()) tell("late or again: " + what);
        try {
            (*work)();
        } catch (const Outage&) {  // nobody waits for it
        }
    });
}

template <class T>
void Network::answer(std::shared_ptr<Life> caller, std::shared_ptr<Call<T>> call,
                     Answer<T> answer) {
    auto life = caller;
    park(std::move(life), [caller = std::move(caller), call = std::move(call),
                           answer = std::move(answer)]() mutable {
        caller->forget(call.get());
        call->completion(std::move(answer.failure), std::move(answer.value));
    });
}

}  // namespace sluice::cluster_simulation
