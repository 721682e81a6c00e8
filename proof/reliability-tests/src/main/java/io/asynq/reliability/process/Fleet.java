package io.asynq.reliability.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The workers of one run. Safe for concurrent use. */
public final class Fleet implements AutoCloseable {

	private final Launcher launcher;

	private final AtomicInteger started = new AtomicInteger();

	private final List<Worker> workers = new CopyOnWriteArrayList<>();

	public Fleet(Launcher launcher) {
		this.launcher = launcher;
	}

	/** Those that were not ended by this program, oldest first. */
	public List<Worker> workers() {
		return List.copyOf(this.workers);
	}

	/** Starts a worker; it may not be ready yet. */
	public Worker start(WorkerKind kind, Map<String, String> properties) {
		String name = kind.name(this.started.incrementAndGet());
		Worker worker = this.launcher.launch(kind, name, properties);
		this.workers.add(worker);
		return worker;
	}

	public Worker start(WorkerKind kind) {
		return start(kind, Map.of());
	}

	public void kill(Worker worker) {
		worker.kill();
		this.workers.remove(worker);
	}

	public void terminate(Worker worker) throws InterruptedException {
		worker.terminate();
		this.workers.remove(worker);
	}

	public void awaitReady() throws InterruptedException {
		for (Worker worker : this.workers) {
			worker.awaitReady();
		}
	}

	public void terminateAll() throws InterruptedException {
		List<Worker> all = new ArrayList<>(this.workers);
		all.forEach(Worker::askToEnd);
		for (Worker worker : all) {
			terminate(worker);
		}
	}

	@Override
	public void close() {
		this.workers.forEach(this::kill);
	}

}
