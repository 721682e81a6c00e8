package io.asynq.operations.preflight;

import java.util.stream.Collectors;

import io.asynq.test.AclRule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedisUserRuleTests {

	private final RedisUserRule rule = new RedisUserRule();

	@Test
	void isTheDocumentedRule() {
		assertThat(this.rule.advice()).endsWith("ACL SETUSER <its name> " + documented());
	}

	@Test
	void namesItsCommandsWithoutSubcommands() {
		assertThat(this.rule.commands()).contains("ZRANGE", "EVALSHA", "MEMORY", "CLIENT")
			.noneMatch((command) -> command.contains("|") || command.contains("ALL"));
	}

	/**
	 * Returns the documented rule without the password.
	 */
	static String documented() {
		return AclRule.documented().stream().filter((word) -> !word.startsWith(">")).collect(Collectors.joining(" "));
	}

}
