package io.asynq.internal.worker;

import java.util.List;
import java.util.function.Consumer;

/**
 * A sink that passes tasks on.
 */
record TestSink(Consumer<List<LeasedTask>> running, Consumer<List<LeasedTask>> putBack) implements Intake.Sink {

	TestSink(Consumer<List<LeasedTask>> running) {
		this(running, (tasks) -> {
		});
	}

	@Override
	public void run(List<LeasedTask> tasks) {
		this.running.accept(tasks);
	}

	@Override
	public void putBack(List<LeasedTask> tasks) {
		this.putBack.accept(tasks);
	}

}
