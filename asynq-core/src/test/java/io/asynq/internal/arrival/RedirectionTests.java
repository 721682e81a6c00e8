package io.asynq.internal.arrival;

import io.asynq.BrokerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RedirectionTests {

	@Test
	void movedNamesTheMaster() {
		assertThat(of("MOVED 3999 127.0.0.1:6381")).isEqualTo(new Redirection("127.0.0.1:6381"));
		assertThat(of("MOVED 3999 ::1:6381")).isEqualTo(new Redirection("::1:6381"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "MOVED 3999 :6381", "ASK 3999 127.0.0.1:6381", "TRYAGAIN Multiple keys request",
			"CLUSTERDOWN Hash slot not served" })
	void masterIsNotKnown(String answer) {
		assertThat(of(answer)).isEqualTo(new Redirection(null));
	}

	@Test
	void otherErrorIsNone() {
		assertThat(of("NOPERM this user has no permissions")).isNull();
		assertThat(Redirection.of(new IllegalStateException())).isNull();
	}

	private static Redirection of(String answer) {
		return Redirection.of(new BrokerException("refused", new IllegalStateException(answer)));
	}

}
