package io.asynq.reliability.soak;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CourseTests {

	private final Course course = new Course();

	@Test
	void fluctuationIsFlat() {
		for (int i = 0; i < 24; i++) {
			this.course.add(new Vitals(20_000 + i % 3 * 1000, 30 + i % 2, 60, 5));
		}
		assertThat(this.course.growth()).isEmpty();
	}

	@Test
	void growthDuringWarmUpIsFlat() {
		this.course.add(new Vitals(1000, 5, 5, 1));
		this.course.add(new Vitals(5000, 15, 25, 3));
		for (int i = 0; i < 22; i++) {
			this.course.add(new Vitals(20_000, 30, 60, 5));
		}
		assertThat(this.course.growth()).isEmpty();
	}

	@Test
	void steadyGrowthIsNamed() {
		for (int i = 0; i < 24; i++) {
			this.course.add(new Vitals(20_000 + i * 1000, 30 + i, 60 + i, 5 + i));
		}
		assertThat(this.course.growth()).hasSize(4)
			.anyMatch((line) -> line.contains("heap"))
			.anyMatch((line) -> line.contains("threads"))
			.anyMatch((line) -> line.contains("file handles"))
			.anyMatch((line) -> line.contains("sockets"));
	}

	@Test
	void tooFewSamplesGiveNoResult() {
		this.course.add(new Vitals(1, 1, 1, 1));
		assertThatIllegalStateException().isThrownBy(this.course::growth).withMessageContaining("1");
	}

}
