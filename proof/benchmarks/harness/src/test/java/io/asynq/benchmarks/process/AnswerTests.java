package io.asynq.benchmarks.process;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.entry;

class AnswerTests {

	@Test
	void readsPairsAfterFirstWord() {
		Answer answer = Answer.parse("ok seen=12 elapsed_ns=5000000000 version=jdk-17");
		assertThat(answer.values()).containsOnlyKeys("seen", "elapsed_ns", "version");
		assertThat(answer.number("seen")).isEqualTo(12);
		assertThat(answer.number("elapsed_ns")).isEqualTo(5_000_000_000L);
		assertThat(answer.text("version")).isEqualTo("jdk-17");
	}

	@Test
	void answerMayBeEmpty() {
		assertThat(Answer.parse("ok ").values()).isEmpty();
	}

	@Test
	void valueMayContainEqualsSign() {
		assertThat(Answer.parse("ok note=a=b").text("note")).isEqualTo("a=b");
	}

	@Test
	void readsTimesByTaskNumber() {
		Answer answer = Answer.parse("ok starts=0:1700000000000001,7:1700000000000002");
		assertThat(answer.moments("starts")).containsExactly(entry(0, 1_700_000_000_000_001L),
				entry(7, 1_700_000_000_000_002L));
	}

	@Test
	void namesMissingKeyAndPresentOnes() {
		Answer answer = Answer.parse("ok seen=12");
		assertThatIllegalStateException().isThrownBy(() -> answer.number("doubled"))
			.withMessageContaining("doubled")
			.withMessageContaining("[seen]");
	}

	@Test
	void rejectsInvalidNumber() {
		assertThatExceptionOfType(NumberFormatException.class)
			.isThrownBy(() -> Answer.parse("ok seen=many").number("seen"))
			.withMessageContaining("many");
	}

}
