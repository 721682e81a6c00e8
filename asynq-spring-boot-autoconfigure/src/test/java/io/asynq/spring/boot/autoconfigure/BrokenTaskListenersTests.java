package io.asynq.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.worker.BrokenTasks;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link BrokenTaskListeners}.
 */
class BrokenTaskListenersTests {

	@Test
	void allListenersAreCalledAndEveryTaskCountedOnceDespiteExceptions() {
		BrokenTasks counted = new BrokenTasks();
		List<BrokenTask> told = new ArrayList<>();
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("failing", (BrokenTaskListener) (task) -> {
			throw new IllegalStateException("planted");
		});
		beans.addBean("counted", counted);
		beans.addBean("noting", (BrokenTaskListener) told::add);
		BrokenTask task = new BrokenTask("low", "x", BrokenTask.Kind.MISSING);
		BrokenTaskListeners.of(counted, beans.getBeanProvider(BrokenTaskListener.class)).onBrokenTask(task);
		assertThat(told).containsExactly(task);
		assertThat(counted.count(BrokenTask.Kind.MISSING)).isEqualTo(1);
	}

}
