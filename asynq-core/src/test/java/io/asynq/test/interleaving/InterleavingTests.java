package io.asynq.test.interleaving;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InterleavingTests {

	@Test
	void findsWakeUpLostBetweenLookAndSleep() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> Interleaving.explore(2, () -> new Sleeper(false).run()))
			.withMessageContaining("Everyone sleeps")
			.withMessageContaining("sleeper");
	}

	@Test
	void findsNothingWhenLookIsRepeated() throws Exception {
		assertThat(Interleaving.explore(2, () -> new Sleeper(true).run())).isGreaterThan(2);
	}

	@Test
	void sampleHasEveryScheduleWithFewerPreemptions() throws Exception {
		int one = Interleaving.explore(1, () -> new Sleeper(true).run());
		int all = Interleaving.explore(2, () -> new Sleeper(true).run());
		int three = Interleaving.explore(2, 3, () -> new Sleeper(true).run());
		assertThat(three).isEqualTo(one + (all - one + 2) / 3).isLessThan(all);
	}

	@Test
	void withoutPreemptionThereIsOneSchedule() throws Exception {
		assertThat(Interleaving.explore(0, () -> new Sleeper(false).run())).isEqualTo(1);
	}

	private static final class Sleeper {

		private final StepInteger work = new StepInteger();

		private final boolean careful;

		private boolean asleep;

		private boolean woken;

		Sleeper(boolean careful) {
			this.careful = careful;
		}

		void run() {
			new StepThread(this::look, "sleeper").start();
			this.work.incrementAndGet();
			this.woken = this.asleep;
		}

		private void look() {
			if (this.work.get() == 0) {
				Interleaving.step();
				this.asleep = true;
				if (!this.careful || this.work.get() == 0) {
					Interleaving.await(() -> this.woken);
				}
			}
		}

	}

}
