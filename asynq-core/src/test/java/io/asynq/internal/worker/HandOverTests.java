package io.asynq.internal.worker;

import java.util.Set;

import io.asynq.test.Tier;
import io.asynq.test.interleaving.Interleaving;
import io.asynq.test.interleaving.StepClassLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No wake-up is lost wherever two threads of the hand-over meet: each scenario runs under
 * all schedules with two preemptions, so that any step of one thread comes between any
 * two steps of another. Without {@code -Pfull} it runs under all with one preemption and
 * a sample of those with two.
 */
class HandOverTests {

	private static final int DEPARTURES = 2;

	private static final int ONE_IN = Tier.choose(20, 1);

	/** There are more steps, and so many more schedules. */
	private static final int ONE_IN_MANY = Tier.choose(1000, 10);

	private final ClassLoader steps = new StepClassLoader(HandOverTests.class.getPackage(),
			Set.of("ArrivalSignals", "HandOver", "Intake", "PrefetchBuffer", "Processor", "SlotFiller", "Slots",
					"StartOrder", "TakenTasks", "TestPrefetchBuffer", "TestSink", "VirtualWorkerThreads", "WorkerPool",
					"WorkerThreads", "Workers"));

	@ParameterizedTest
	@ValueSource(classes = { HandOver.WithPool.class, HandOver.WithPoolSpaced.class, HandOver.WithoutPool.class,
			HandOver.WithoutPoolSpaced.class, HandOver.WithFailure.class, HandOver.WithAnAbort.class })
	void everyTaskWithSlotRunsUnderEverySchedule(Class<?> scenario) throws Exception {
		explore(scenario, ONE_IN);
	}

	@ParameterizedTest
	@ValueSource(classes = { HandOver.WithBufferedTasks.class, HandOver.WithBufferedTasksWithoutPool.class })
	void everyHeldTaskGetsSlotUnderEverySchedule(Class<?> scenario) throws Exception {
		explore(scenario, ONE_IN_MANY);
	}

	private void explore(Class<?> scenario, int oneIn) throws Exception {
		Class<?> stepwise = this.steps.loadClass(scenario.getName());
		int schedules = Interleaving.explore(DEPARTURES, oneIn,
				() -> ((Runnable) BeanUtils.instantiateClass(stepwise)).run());
		assertThat(schedules).isGreaterThan(Tier.choose(80, 500));
	}

}
