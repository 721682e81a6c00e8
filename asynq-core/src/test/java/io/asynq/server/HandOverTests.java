package io.asynq.server;

import io.asynq.test.interleaving.Interleaving;
import io.asynq.test.interleaving.StepClassLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.BeanUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Wherever two threads of the hand-over meet, no wake-up is lost: each scenario runs
 * under all schedules that depart twice from the plain one, so that any step of one
 * thread comes between any two steps of another.
 */
class HandOverTests {

	private static final int DEPARTURES = 2;

	private final ClassLoader steps = new StepClassLoader(HandOverTests.class.getPackage());

	@ParameterizedTest
	@ValueSource(classes = { HandOver.WithPool.class, HandOver.WithPoolSpaced.class, HandOver.WithoutPool.class,
			HandOver.WithoutPoolSpaced.class, HandOver.WithFailure.class, HandOver.WithAnAbort.class })
	void everyTaskRunsThatHasASlotUnderEverySchedule(Class<?> scenario) throws Exception {
		Class<?> stepwise = this.steps.loadClass(scenario.getName());
		int schedules = Interleaving.explore(DEPARTURES, () -> ((Runnable) BeanUtils.instantiateClass(stepwise)).run());
		assertThat(schedules).isGreaterThan(500);
	}

}
