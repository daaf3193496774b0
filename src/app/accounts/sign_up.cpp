#include "app/accounts/sign_up.hpp"

namespace sluice {

Task<std::optional<Outcome<Created>>> SignUp::sign_up(RegisterUser::Registration registration,
                                                      Proof proof, SignUpLimits& limits) {
    const auto phone = registration.user.phone;
    if (codes_) {
        const bool right =
            co_await codes_->redeem(CodePurpose::registration, phone, proof.bearer, proof.code);
        if (!right) co_return refuse(std::vector{FieldError{"code", Rule::wrong_code}});
    }
    std::optional<Outcome<Created>> created;
    std::exception_ptr failure;
    try {
        created = co_await add(std::move(registration), limits);
    } catch (...) {
        failure = std::current_exception();
    }
    if (codes_ && !created)
        co_await codes_->give_back(CodePurpose::registration, phone, proof.code);
    if (failure) std::rethrow_exception(failure);
    co_return created;
}

Task<std::optional<Outcome<Created>>> SignUp::add(RegisterUser::Registration registration,
                                                  SignUpLimits& limits) {
    // Before the password is hashed: a refused request need not cost a hash.
    if (!limits.may_sign_up()) co_return std::nullopt;
    auto taken = co_await registration_.expect_free(registration.user.phone);
    if (taken) co_return std::unexpected(std::move(*taken));
    // Counted when the account is about to be made: a request that was told to come back has not
    // used anything up.
    RegisterUser::MayAdd may_add = [&limits] { return limits.count_sign_up(); };
    auto created = co_await registration_.add(std::move(registration), std::move(may_add));
    co_return created;
}

}  // namespace sluice
