package io.asynq.console.http;

import java.security.Principal;
import java.util.Collection;
import java.util.stream.Stream;

import io.asynq.console.AsynqConsoleProperties.Authorities;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

public record AuthorityRights(Authorities names, @Nullable RoleHierarchy hierarchy) implements ConsoleRights {

	private static final String ROLE = "ROLE_";

	@Override
	public boolean allow(Origin origin, ConsoleRight right, @Nullable String queue) {
		Principal principal = origin.principal();
		if (!(principal instanceof Authentication user) || !user.isAuthenticated()
				|| user instanceof AnonymousAuthenticationToken) {
			return false;
		}
		return switch (right) {
			case LOOK -> hasAny(user, this.names.viewer(), this.names.operator(), this.names.admin());
			case SEE_PAYLOADS, ACT -> hasAny(user, this.names.operator(), this.names.admin());
			case ADMIN -> hasAny(user, this.names.admin());
		};
	}

	@Override
	public String refusal(Origin origin) {
		return (origin.principal() == null) ? "Log in, as a user who has the authority " + this.names.viewer()
				: "You may not look here: it needs the authority " + this.names.viewer();
	}

	private boolean hasAny(Authentication user, String... wanted) {
		Collection<? extends GrantedAuthority> held = user.getAuthorities();
		RoleHierarchy implied = this.hierarchy;
		Collection<? extends GrantedAuthority> all = (implied != null) ? implied.getReachableGrantedAuthorities(held)
				: held;
		return all.stream()
			.map(GrantedAuthority::getAuthority)
			.anyMatch((authority) -> Stream.of(wanted)
				.anyMatch((name) -> name.equals(authority) || (ROLE + name).equals(authority)));
	}

}
