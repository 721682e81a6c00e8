package io.asynq.console.http;

import java.security.Principal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.console.AsynqConsoleProperties.Authorities;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.access.hierarchicalroles.RoleHierarchyImpl;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

import static org.assertj.core.api.Assertions.assertThat;

class RightsTests {

	private final Authorities names = new Authorities("ASYNQ_VIEWER", "ASYNQ_OPERATOR", "team-ops");

	@ParameterizedTest
	@CsvSource({ "ASYNQ_VIEWER,LOOK", "ROLE_ASYNQ_VIEWER,LOOK", "ASYNQ_OPERATOR,LOOK SEE_PAYLOADS ACT",
			"team-ops,LOOK SEE_PAYLOADS ACT ADMIN", "ASYNQ_ADMIN,''", "ROLE_BOSS,LOOK SEE_PAYLOADS ACT", "SHOPPER,''" })
	void authoritiesGiveRights(String authority, String rights) {
		ConsoleRights byAuthority = new AuthorityRights(this.names,
				RoleHierarchyImpl.fromHierarchy("ROLE_BOSS > ASYNQ_OPERATOR"));
		assertThat(allowed(byAuthority, new TestingAuthenticationToken("ada", "", authority))).isEqualTo(rights);
	}

	@Test
	void onlyWhoIsAuthenticatedHasRights() {
		ConsoleRights byAuthority = new AuthorityRights(this.names, null);
		TestingAuthenticationToken not = new TestingAuthenticationToken("ada", "", "team-ops");
		not.setAuthenticated(false);
		assertThat(allowed(byAuthority, not)).isEmpty();
		assertThat(allowed(byAuthority, null)).isEmpty();
		assertThat(allowed(byAuthority, () -> "a principal of something else")).isEmpty();
		assertThat(allowed(byAuthority,
				new AnonymousAuthenticationToken("key", "anonymous", AuthorityUtils.createAuthorityList("team-ops"))))
			.isEmpty();
	}

	@Test
	void openConsoleStillShowsNoPayloads() {
		assertThat(allowed(new OpenRights(), null)).isEqualTo("LOOK ACT ADMIN");
	}

	@Test
	void authorizerDecidesByQueue() {
		ConsoleRights given = new GivenRights(
				(who, right, queue) -> right == ConsoleRight.LOOK || "mine".equals(queue));
		assertThat(allowed(given, null)).isEqualTo("LOOK");
		assertThat(given.allow(origin(null), ConsoleRight.ADMIN, "mine")).isTrue();
		assertThat(given.allow(origin(null), ConsoleRight.ADMIN, "yours")).isFalse();
	}

	@Test
	void authorizerThatFailsRefuses() {
		assertThat(allowed(new GivenRights((who, right, queue) -> {
			throw new IllegalStateException("directory is away");
		}), null)).isEmpty();
	}

	private static String allowed(ConsoleRights rights, @Nullable Principal who) {
		return Stream.of(ConsoleRight.values())
			.filter((right) -> rights.allow(origin(who), right, null))
			.map(ConsoleRight::name)
			.collect(Collectors.joining(" "));
	}

	private static Origin origin(@Nullable Principal who) {
		return new Origin("/asynq", "http://localhost:80", "HTTP/1.1", who, List.of(), () -> null);
	}

}
