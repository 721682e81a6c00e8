package io.asynq.benchmarks.micro;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.IntStream;

import io.asynq.Task;
import io.asynq.handler.HandlerNotFoundException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskMux;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/** Dispatches a task to its handler, which returns at once, among 50 patterns. */
public class MuxBenchmark extends MicroBenchmark {

	private static final int PATTERNS = 50;

	private static final int TYPES = 4096;

	private final TaskMux mux = new TaskMux();

	/** The handlers do not use it. */
	private final TaskContext context = (TaskContext) Proxy.newProxyInstance(TaskContext.class.getClassLoader(),
			new Class<?>[] { TaskContext.class }, (proxy, method, arguments) -> {
				throw new UnsupportedOperationException(method.getName());
			});

	private final Task exact = task("group7:kind7");

	private final Task prefix = task("group7:kind7:detail");

	private final Task unknown = task("nobody:knows");

	private final Task[] many = IntStream.range(0, TYPES)
		.mapToObj((i) -> task("group" + i % 25 + ":kind" + i % 25 + ":" + i))
		.toArray(Task[]::new);

	private int next;

	public MuxBenchmark() {
		// One pattern of each pair is a prefix of the other, so that the longest must be
		// found
		for (int i = 0; i < PATTERNS / 2; i++) {
			byte[] shorter = { 1 };
			byte[] longer = { 2 };
			this.mux.handle("group" + i + ":", (task, context) -> shorter);
			this.mux.handle("group" + i + ":kind" + i, (task, context) -> longer);
		}
	}

	@Benchmark
	public byte @Nullable [] exactPattern() throws Exception {
		return this.mux.processTask(this.exact, this.context);
	}

	@Benchmark
	public byte @Nullable [] longestPrefix() throws Exception {
		return this.mux.processTask(this.prefix, this.context);
	}

	@Benchmark
	public Object unknownType() throws Exception {
		try {
			throw new IllegalStateException(Arrays.toString(this.mux.processTask(this.unknown, this.context)));
		}
		catch (HandlerNotFoundException ex) {
			return ex;
		}
	}

	@Benchmark
	public byte @Nullable [] moreTypesThanItRemembers() throws Exception {
		this.next = (this.next + 1) % TYPES;
		return this.mux.processTask(this.many[this.next], this.context);
	}

	private static Task task(String type) {
		return Task.of(type, new byte[64]);
	}

}
