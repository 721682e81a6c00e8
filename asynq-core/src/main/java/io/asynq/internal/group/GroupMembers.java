package io.asynq.internal.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import io.asynq.Task;
import io.asynq.internal.redis.TaskMessage;

/**
 * The tasks of a staged set, as stored and, in the same order, as passed to an
 * aggregator.
 *
 * @param tasks told apart by identity
 */
public record GroupMembers(List<TaskMessage> messages, List<Task> tasks) {

	public static GroupMembers of(List<TaskMessage> messages) {
		return new GroupMembers(messages, messages.stream().map(TaskMessage::toTask).toList());
	}

	public boolean isEmpty() {
		return this.messages.isEmpty();
	}

	public GroupMembers among(Collection<Task> chosen) {
		return where(chosen, true);
	}

	public GroupMembers without(Collection<Task> chosen) {
		return where(chosen, false);
	}

	private GroupMembers where(Collection<Task> chosen, boolean among) {
		Set<Task> identities = Collections.newSetFromMap(new IdentityHashMap<>());
		identities.addAll(chosen);
		List<TaskMessage> someMessages = new ArrayList<>();
		List<Task> someTasks = new ArrayList<>();
		for (int i = 0; i < this.tasks.size(); i++) {
			if (identities.contains(this.tasks.get(i)) == among) {
				someMessages.add(this.messages.get(i));
				someTasks.add(this.tasks.get(i));
			}
		}
		return new GroupMembers(someMessages, Collections.unmodifiableList(someTasks));
	}

}
