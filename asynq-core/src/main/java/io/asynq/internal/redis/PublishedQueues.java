package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lists queues again every ten seconds, because they may have been deleted; on a cluster,
 * the list's node must not block queues on other nodes.
 */
public final class PublishedQueues {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final Map<String, Long> published;

	private final AtomicLong forgotten;

	private final PatientPublisher onCluster;

	/** Those over other connections as well. */
	private final List<PatientPublisher> all;

	public PublishedQueues(ScriptRunner scripts, ScriptTime time) {
		this(scripts, time, new ConcurrentHashMap<>(), new AtomicLong(), new CopyOnWriteArrayList<>());
	}

	private PublishedQueues(ScriptRunner scripts, ScriptTime time, Map<String, Long> published, AtomicLong forgotten,
			List<PatientPublisher> all) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
		this.forgotten = forgotten;
		this.onCluster = new PatientPublisher(this::add);
		this.all = all;
		all.add(this.onCluster);
	}

	/** Shares what is known, but callers do not wait for each other. */
	public PublishedQueues over(ScriptRunner others) {
		return new PublishedQueues(others, this.time, this.published, this.forgotten, this.all);
	}

	public void publish(String queue) {
		Long last = this.published.get(queue);
		if (last != null && this.time.nanoTime() - last < INTERVAL.toNanos()) {
			return;
		}
		if (this.scripts.seesCluster()) {
			this.onCluster.publish(queue);
		}
		else {
			add(List.of(queue));
		}
	}

	public void forget(String queue) {
		this.forgotten.incrementAndGet();
		this.published.remove(queue);
		this.all.forEach((publisher) -> publisher.forget(queue));
	}

	public void close() {
		this.onCluster.close();
	}

	private void add(List<String> queues) {
		long now = this.time.nanoTime();
		long before = this.forgotten.get();
		List<String> args = new ArrayList<>(List.of(""));
		args.addAll(queues);
		this.scripts.runLong(LuaScript.LIST, "queues " + queues, List.of(Keys.QUEUES), args.toArray());
		for (String queue : queues) {
			this.published.compute(queue, (name, known) -> {
				if (this.forgotten.get() == before) {
					return now;
				}
				// It may have been deleted meanwhile
				return known;
			});
		}
	}

}
