package io.asynq.cli;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BooleanFlagsTests {

	@Test
	void takesValuesAsGoDoes() {
		assertThat(AsynqCli.flagsWithoutValues("queue", "rm", "--force=true", "--cluster=false", "--tls=1", "q"))
			.containsExactly("queue", "rm", "--force", "--no-cluster", "--tls", "q");
		assertThat(AsynqCli.flagsWithoutValues("queue", "rm", "-f=false", "q")).containsExactly("queue", "rm", "q");
	}

	@Test
	void leavesOthersAlone() {
		assertThat(AsynqCli.flagsWithoutValues("-l=--force=x", "", "--payload", "a=b", "--", "--force=x"))
			.containsExactly("-l=--force=x", "", "--payload", "a=b", "--", "--force=x");
	}

	@Test
	void refusesOtherValues() {
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> AsynqCli.flagsWithoutValues("--force=yes"))
			.withMessageContaining("\"yes\" for \"--force\"");
	}

}
