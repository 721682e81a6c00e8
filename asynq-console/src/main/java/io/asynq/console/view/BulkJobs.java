package io.asynq.console.view;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.console.http.ConsoleException;
import org.jspecify.annotations.Nullable;

/**
 * What runs in this application, and what has ended lately. Safe for concurrent use.
 */
final class BulkJobs {

	/** More would take turns, and Redis has other work. */
	static final int MOST_RUNNING = 3;

	private static final int REMEMBERED = 50;

	private final Map<String, BulkJob> jobs = new LinkedHashMap<>();

	synchronized void start(BulkJob job) {
		long running = this.jobs.values().stream().filter((each) -> each.progress().isRunning()).count();
		if (running >= MOST_RUNNING) {
			throw new ConsoleException(409, "conflict",
					running + " jobs are running, which is the most: wait for one, or stop one");
		}
		forgetOldest();
		this.jobs.put(job.id(), job);
		Thread thread = new Thread(job, "asynq-console-job-" + job.id());
		thread.setDaemon(true);
		thread.start();
	}

	synchronized @Nullable BulkJob find(String id) {
		return this.jobs.get(id);
	}

	synchronized List<BulkJob> all() {
		List<BulkJob> all = new ArrayList<>(this.jobs.values());
		Collections.reverse(all);
		return all;
	}

	void stop() {
		all().forEach(BulkJob::stop);
	}

	private void forgetOldest() {
		List<String> ended = this.jobs.values()
			.stream()
			.filter((job) -> !job.progress().isRunning())
			.map(BulkJob::id)
			.toList();
		for (int i = 0; i < ended.size() && this.jobs.size() >= REMEMBERED; i++) {
			this.jobs.remove(ended.get(i));
		}
	}

}
