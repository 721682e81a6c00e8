package io.asynq.cli.task;

import java.util.ArrayList;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.inspect.Page;

/**
 * The tasks of one page among those that a search finds.
 */
final class PageOf {

	private final Page page;

	private final List<TaskInfo> tasks = new ArrayList<>();

	private long seen;

	PageOf(Page page) {
		this.page = page;
	}

	void add(TaskInfo task) {
		if (this.seen >= this.page.offset() && !isFull()) {
			this.tasks.add(task);
		}
		this.seen++;
	}

	boolean isFull() {
		return this.tasks.size() >= this.page.size();
	}

	List<TaskInfo> tasks() {
		return List.copyOf(this.tasks);
	}

}
