package io.asynq.interop.oracle;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Only listed differences are permitted, and each of them is used.
 */
class MendedTests {

	private static final Step FAIL = new Step("fail", "work", JsonMapper.shared().createObjectNode(), "0.24", Map.of());

	private final Mended mended = new Mended(List.of("fail | asynq:{?}:t:*/state | 0.25* | a reason",
			"never | asynq:* | * | a reason", "never | asynq:* | * | Perhaps this happens"));

	@Test
	void permitsDifferenceNamedByRule() {
		assertThat(this.mended.allows(FAIL, "asynq:{q}:t:one/state", GoVersion.V0_25_1)).isTrue();
	}

	@Test
	void permitsNothingElse() {
		assertThat(this.mended.allows(FAIL, "asynq:{q}:t:one/state", GoVersion.V0_26_0)).isFalse();
		assertThat(this.mended.allows(FAIL, "asynq:{qq}:t:one/state", GoVersion.V0_25_1)).isFalse();
		assertThat(this.mended.allows(FAIL, "asynq:{q}:t:one/stateful", GoVersion.V0_25_1)).isFalse();
	}

	@Test
	void reportsUnusedRules() {
		assertThat(this.mended.unused(GoVersion.V0_25_1)).hasSize(2);
		this.mended.allows(FAIL, "asynq:{q}:t:one/state", GoVersion.V0_25_1);
		assertThat(this.mended.unused(GoVersion.V0_25_1)).containsExactly("never | asynq:* | * | a reason");
	}

	@Test
	void rejectsRuleWithoutReason() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Mended(List.of("fail | asynq:* | *")))
			.withMessageContaining("fail | asynq:* | *");
	}

}
