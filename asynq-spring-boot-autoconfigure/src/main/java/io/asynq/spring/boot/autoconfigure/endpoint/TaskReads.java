package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.function.UnaryOperator;

import io.asynq.TaskInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.Page;
import io.asynq.operations.Confidential;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.TaskSelection;
import io.asynq.operations.survey.TaskSearch;

final class TaskReads {

	private final TaskOperations tasks;

	private final TaskSearch search;

	TaskReads(TaskOperations tasks, TaskSearch search) {
		this.tasks = tasks;
		this.search = search;
	}

	Object one(Parameters call, boolean shown) {
		return show(shown).apply(this.tasks.task(call.required("queue"), call.required("id")));
	}

	Object list(Parameters call, boolean shown) {
		TaskSelection selection = call.selection();
		if (selection.hasConditions()) {
			return this.search.find(selection, call.get("cursor"), call.integer("size", Page.DEFAULT_SIZE),
					show(shown));
		}
		Listing<TaskInfo> part = this.tasks.list(selection, call.get("cursor"), call.integer("size"));
		return new Listing<>(part.entries().stream().map(show(shown)).toList(), part.next());
	}

	private static UnaryOperator<TaskInfo> show(boolean shown) {
		return shown ? UnaryOperator.identity() : Confidential::hide;
	}

}
