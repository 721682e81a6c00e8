package io.asynq.cli.command;

import io.asynq.cli.terminal.UsageException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BooleanFlagsTests {

	@Test
	void takesValuesAsGoDoes() {
		assertThat(BooleanFlags.withoutValues("queue", "rm", "--force=true", "--cluster=false", "--tls=1", "q"))
			.containsExactly("queue", "rm", "--force", "--no-cluster", "--tls", "q");
		assertThat(BooleanFlags.withoutValues("queue", "rm", "-f=false", "q")).containsExactly("queue", "rm", "q");
	}

	@Test
	void leavesOthersAlone() {
		assertThat(BooleanFlags.withoutValues("-l=--force=x", "", "--payload", "a=b", "--", "--force=x"))
			.containsExactly("-l=--force=x", "", "--payload", "a=b", "--", "--force=x");
	}

	@Test
	void refusesOtherValues() {
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> BooleanFlags.withoutValues("--force=yes"))
			.withMessageContaining("\"yes\" for \"--force\"");
	}

}
