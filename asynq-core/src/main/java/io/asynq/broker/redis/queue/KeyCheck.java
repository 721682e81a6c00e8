package io.asynq.broker.redis.queue;

import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.broker.redis.Batches;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.StoredMessages;
import io.asynq.broker.redis.Text;
import io.asynq.info.Inconsistency;
import io.asynq.info.Inconsistency.Kind;

/**
 * Checks the keys of a queue: tasks in no container, messages that cannot be decoded,
 * groups, locks, and keys of the wrong type.
 */
final class KeyCheck {

	private static final int SCAN_COUNT = 500;

	/** Longer messages are taken for decodable. */
	private static final int LONGEST_MESSAGE = 64 * 1024;

	/** What ends the name of a staged set: a UUID. */
	private static final Pattern STAGED = Pattern.compile("(.*):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

	private final ScriptRunner scripts;

	private final String queue;

	private final SuspectIds suspects;

	private final Consumer<Inconsistency> found;

	private final ContainerCheck groups;

	KeyCheck(ScriptRunner scripts, String queue, SuspectIds suspects, Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.suspects = suspects;
		this.found = found;
		this.groups = new ContainerCheck(scripts, queue, suspects, found);
	}

	/**
	 * Checks all keys.
	 * @param pending the ids that were pending a moment ago
	 * @return how many keys the queue has
	 */
	long check(PendingIds pending) {
		Keys keys = Keys.of(this.queue);
		long[] seen = { 0 };
		Batches.walk((cursor) -> this.scripts.runList(LuaScript.CHECK_KEYS, Text.queue(this.queue),
				List.of(keys.pending()), keys.prefix(), keys.ownPrefix(), cursor, Keys.pattern(keys.prefix()),
				SCAN_COUNT, LONGEST_MESSAGE), (slice) -> {
					seen[0] += slice.size();
					slice.forEach((key) -> look((List<?>) key, pending));
				});
		new GroupWalk(this.scripts, this.queue).tell(GroupWalk.Which.EMPTY,
				(group, tasks) -> tell(Kind.GROUP_WITHOUT_TASKS, group, "has no tasks", ""));
		return seen[0];
	}

	private void look(List<?> key, PendingIds pending) {
		String name = Text.of(key.get(1));
		switch (Text.of(key.get(0))) {
			case "t" -> lookAtTask(name, key, pending);
			case "g" -> lookAtGroup(name, (Long) key.get(2) == 1, (Long) key.get(3) == 1, Text.of(key.get(4)));
			case "u" -> {
				if ((Long) key.get(2) == 0) {
					tell(Kind.LOCK_WITHOUT_TASK, name, "its task is gone", "");
				}
			}
			default -> tell(Kind.WRONG_TYPE, name, "is a " + Text.of(key.get(2)), "");
		}
	}

	private void lookAtTask(String id, List<?> task, PendingIds pending) {
		long place = (Long) task.get(3);
		if (place == 0 || place == 2 && !pending.contains(id)) {
			this.suspects.add(id, "");
		}
		boolean isShort = (Long) task.get(5) == 1;
		String state = Text.of(task.get(2));
		if (isShort && !(state.equals("archived") && place == 1) && !isDecodable(id, (byte[]) task.get(4))) {
			tell(Kind.UNDECODABLE, id, "state '" + state + "'", "");
		}
	}

	private boolean isDecodable(String id, byte[] message) {
		try {
			StoredMessages.decode(this.queue, Text.utf8(id), message);
			return true;
		}
		catch (InvalidProtocolBufferException ex) {
			return false;
		}
	}

	private void lookAtGroup(String name, boolean listed, boolean staged, String groupOfFirst) {
		this.groups.checkGroup("g:" + name);
		if (listed || staged) {
			return;
		}
		Matcher parts = STAGED.matcher(name);
		// The name of a group may look like that of a set; its tasks tell them apart
		if (parts.matches() && groupOfFirst.equals(parts.group(1))) {
			tell(Kind.STAGED_SET_FORGOTTEN, parts.group(1), "set " + parts.group(2), "g:" + name);
		}
		else {
			tell(Kind.GROUP_NOT_LISTED, name, "has tasks", "");
		}
	}

	private void tell(Kind kind, String id, String detail, String place) {
		this.found.accept(new Inconsistency(kind, this.queue, id, detail, place));
	}

}
