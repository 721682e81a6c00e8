package io.asynq.internal.inspect;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.inspect.Inconsistency;
import io.asynq.inspect.Inconsistency.Kind;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;

final class KeyCheck {

	/** Always the same, so that a slice is the same again when the walk stops in it. */
	private static final int SCAN_COUNT = 500;

	/** Longer messages are taken for decodable. */
	private static final int LONGEST_MESSAGE = 64 * 1024;

	/** What ends the name of a staged set: a UUID. */
	private static final Pattern STAGED = Pattern.compile("(.*):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

	private final ScriptRunner scripts;

	private final String queue;

	private final Budget budget;

	private final SuspectIds suspects;

	private final Consumer<Inconsistency> found;

	private final ContainerCheck groups;

	KeyCheck(ScriptRunner scripts, String queue, Budget budget, SuspectIds suspects, Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.budget = budget;
		this.suspects = suspects;
		this.found = found;
		this.groups = new ContainerCheck(scripts, queue, budget, suspects, found);
	}

	/** Checks groups last and by name, so that the walk can stop among them. */
	WalkPosition check(WalkPosition at, PendingIds pending) {
		List<Object> answer = scan(at.at());
		SortedMap<String, List<?>> grouped = new TreeMap<>();
		for (Object entry : answer.subList(1, answer.size())) {
			List<?> key = (List<?>) entry;
			if (Text.of(key.get(0)).equals("g")) {
				grouped.put(Text.of(key.get(1)), key);
			}
			else if (at.group() == null) {
				look(key, pending);
			}
		}
		this.budget.spend((at.group() == null) ? SCAN_COUNT : 0);
		WalkPosition here = at.see(answer.size() > 1);
		for (List<?> key : ((at.group() == null) ? grouped : grouped.tailMap(at.group())).values()) {
			String name = Text.of(key.get(1));
			long looked = name.equals(at.group()) ? at.inGroup() : 0;
			looked = this.budget.isSpent() ? looked : this.groups.checkSorted("g:" + name, "aggregating", looked);
			if (looked != ContainerCheck.END) {
				return here.goOnInGroup(name, looked);
			}
			lookAtGroup(name, (Long) key.get(2) == 1, (Long) key.get(3) == 1, Text.of(key.get(4)));
		}
		String next = Text.of(answer.get(0));
		return next.equals("0") ? here.nextStage() : here.goOn(next);
	}

	private List<Object> scan(String cursor) {
		Keys keys = Keys.of(this.queue);
		return this.scripts.runList(LuaScript.CHECK_KEYS, Text.queue(this.queue), List.of(keys.pending()),
				keys.prefix(), keys.ownPrefix(), cursor, Keys.pattern(keys.prefix()), SCAN_COUNT, LONGEST_MESSAGE);
	}

	private void look(List<?> key, PendingIds pending) {
		String name = Text.of(key.get(1));
		switch (Text.of(key.get(0))) {
			case "t" -> lookAtTask(name, key, pending);
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
			TaskMessageCodec.decode(this.queue, Text.utf8(id), message);
			return true;
		}
		catch (InvalidProtocolBufferException ex) {
			return false;
		}
	}

	private void lookAtGroup(String name, boolean listed, boolean staged, String groupOfFirst) {
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
