#include "app/accounts/role_editor.hpp"

#include "app/catalog/json_view.hpp"

namespace sluice {
Task<Outcome<User>> RoleEditor::change(UserId id, Role role, Actor actor, Role actor_role) {
    auto user = co_await ledger_.find(id);
    if (!user) co_return refuse(Reason::not_found);
    if (const auto why_not = check_role_change(actor.id, actor_role, *user))
        co_return std::unexpected(*why_not);
    if (user->role == role) co_return *user;

    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "user.role", id.text(),
                          role_json(user->role), role_json(role));
    const auto done = co_await ledger_.change_role(id, user->role, role, std::move(deed));
    if (!done) co_return std::unexpected(done.error());
    co_await sessions_.refresh(id);
    user->role = role;
    co_return *user;
}

}  // namespace sluice
