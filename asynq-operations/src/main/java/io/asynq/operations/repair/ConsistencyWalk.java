package io.asynq.operations.repair;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.internal.inspect.GroupWalk;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import io.asynq.operations.repair.Inconsistency.Kind;
import io.asynq.operations.repair.WalkPosition.Stage;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.RedisCallback;

/** Used once, by one thread. */
final class ConsistencyWalk {

	/** There is nothing more in a container. */
	private static final long END = -1;

	/** How many ids to read at once, without looking at their tasks. */
	private static final int READ = 5000;

	/** Always the same, so that a slice is the same again when the walk stops in it. */
	private static final int SCAN_COUNT = 500;

	/** Longer messages are taken for decodable. */
	private static final int LONGEST_MESSAGE = 64 * 1024;

	/** What ends the name of a staged set: a UUID. */
	private static final Pattern STAGED = Pattern.compile("(.*):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

	private final ScriptRunner scripts;

	private final String queue;

	private final Budget budget;

	private final Consumer<Inconsistency> found;

	private final SuspectIds suspects;

	private @Nullable Ids pending;

	ConsistencyWalk(ScriptRunner scripts, String queue, int limit, Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.budget = new Budget(limit);
		this.found = found;
		this.suspects = new SuspectIds(scripts, queue, found);
	}

	WalkPosition run(WalkPosition from) {
		this.suspects.expect(length("pending") + length("active"));
		WalkPosition at = from;
		while (!at.isEnd() && !this.budget.isSpent()) {
			at = step(at);
		}
		this.suspects.confirm();
		if (at.isEnd() && at.seen() && !isListed()) {
			this.found.accept(new Inconsistency(Kind.QUEUE_NOT_LISTED, this.queue, this.queue,
					"has keys such as " + Keys.of(this.queue).prefix() + "…, but is not in " + Keys.QUEUES, ""));
		}
		return at;
	}

	private WalkPosition step(WalkPosition at) {
		return switch (at.stage()) {
			case PENDING, ACTIVE -> list(at);
			case KEYS -> checkKeys(at, pending());
			case GROUPS -> emptyGroups(at);
			default -> after(at, checkSorted(at.stage().container(), at.stage().state(), at.rank()));
		};
	}

	private WalkPosition list(WalkPosition at) {
		Ids known = ids(at.stage().container(), at.rank());
		long looked = checkList(at.stage().container(), at.rank(), known);
		if (at.stage() == Stage.PENDING && looked == END) {
			this.pending = known;
		}
		return after(at, looked);
	}

	/** The ids that were pending a moment ago. */
	private Ids pending() {
		Ids known = this.pending;
		if (known == null) {
			known = ids(Stage.PENDING.container(), Long.MAX_VALUE);
			this.pending = known;
		}
		return known;
	}

	private WalkPosition emptyGroups(WalkPosition at) {
		this.budget.spend(GroupWalk.SLICE);
		String next = new GroupWalk(this.scripts, this.queue).tellSome(GroupWalk.Which.EMPTY, at.at(), GroupWalk.SLICE,
				(group, tasks) -> this.found
					.accept(new Inconsistency(Kind.GROUP_WITHOUT_TASKS, this.queue, group, "has no tasks", "")));
		return next.equals("0") ? at.nextStage() : at.goOn(next);
	}

	private boolean isListed() {
		return this.scripts.run("SISMEMBER", Text.queue(this.queue),
				(template) -> Boolean.TRUE.equals(template.opsForSet().isMember(Keys.QUEUES, Text.utf8(this.queue))));
	}

	private static WalkPosition after(WalkPosition at, long looked) {
		return (looked == END) ? at.nextStage() : at.goOn(Long.toString(looked));
	}

	private int length(String container) {
		return ((Long) read(container, 1, 0).get(0)).intValue();
	}

	/** Counts from the end that tasks leave at. */
	private Ids ids(String container, long count) {
		Ids ids = new Ids();
		long from = 0;
		long slice;
		int read;
		do {
			slice = Math.min(READ, count - from);
			List<?> some = (slice > 0) ? (List<?>) read(container, -(from + slice), -(from + 1)).get(1) : List.of();
			some.forEach((id) -> ids.add(Text.of(id)));
			read = some.size();
			from += slice;
		}
		while (read > 0 && read == slice);
		return ids;
	}

	/**
	 * From the end that tasks leave at: what leaves is skipped, nothing is seen twice.
	 */
	private long checkList(String container, long from, Ids known) {
		long looked = from;
		int slice;
		List<?> ids;
		do {
			slice = this.budget.slice();
			ids = (List<?>) slice(container, container, -(looked + slice), -(looked + 1)).get(1);
			for (int i = 0; i < ids.size(); i += 3) {
				String id = Text.of(ids.get(i));
				if (!known.add(id) && isDouble(container, id)) {
					tell(Kind.DOUBLE_ENTRY, id, "in " + container, container);
				}
				suspectIfStrange(ids, i, container);
			}
			looked += slice;
			this.budget.spend(ids.size() / 3);
		}
		while (ids.size() == 3 * slice && !this.budget.isSpent());
		return (ids.size() == 3 * slice) ? looked : END;
	}

	private long checkSorted(String suffix, String state, long from) {
		long looked = from;
		int slice;
		long length;
		do {
			slice = this.budget.slice();
			List<Object> answer = slice(suffix, state, looked, looked + slice - 1);
			length = (Long) answer.get(0);
			List<?> ids = (List<?>) answer.get(1);
			for (int i = 0; i < ids.size(); i += 3) {
				if ((Long) ids.get(i + 2) == 1) {
					tell(Kind.FRACTIONAL_SCORE, Text.of(ids.get(i)), "in " + suffix, suffix);
				}
				suspectIfStrange(ids, i, suffix);
			}
			looked += slice;
			this.budget.spend(length + 1);
		}
		while (length == slice && !this.budget.isSpent());
		return (length == slice) ? looked : END;
	}

	private List<Object> read(String container, long first, long last) {
		return this.scripts.runList(LuaScript.CHECK_LIST, Text.queue(this.queue),
				List.of(Keys.of(this.queue).prefix() + container), first, last);
	}

	private List<Object> slice(String container, String state, long first, long last) {
		Keys keys = Keys.of(this.queue);
		return this.scripts.runList(LuaScript.CHECK_CONTAINER, Text.queue(this.queue),
				List.of(keys.prefix() + container), first, last, keys.taskPrefix(), state);
	}

	private boolean isDouble(String container, String id) {
		byte[] key = Text.utf8(Keys.of(this.queue).prefix() + container);
		List<Long> positions = this.scripts.run("LPOS", Text.queue(this.queue),
				(template) -> template.execute((RedisCallback<List<Long>>) (connection) -> connection.listCommands()
					.lPos(key, Text.utf8(id), null, 2)));
		return positions != null && positions.size() > 1;
	}

	private void suspectIfStrange(List<?> ids, int i, String container) {
		if ((Long) ids.get(i + 1) == 1) {
			this.suspects.add(Text.of(ids.get(i)), container);
		}
	}

	/** Checks groups last and by name, so that the walk can stop among them. */
	private WalkPosition checkKeys(WalkPosition at, Ids pending) {
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
			looked = this.budget.isSpent() ? looked : checkSorted("g:" + name, "aggregating", looked);
			if (looked != END) {
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

	private void look(List<?> key, Ids pending) {
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

	private void lookAtTask(String id, List<?> task, Ids pending) {
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

	/** Ids by a digest, fifty bytes each; a collision could hide an inconsistency. */
	private static final class Ids {

		private final Set<Long> digests = new HashSet<>();

		boolean add(String id) {
			return this.digests.add(digest(id));
		}

		int size() {
			return this.digests.size();
		}

		boolean contains(String id) {
			return this.digests.contains(digest(id));
		}

		private static long digest(String id) {
			CRC32C crc = new CRC32C();
			crc.update(id.getBytes(StandardCharsets.UTF_8));
			return (crc.getValue() << 32) ^ id.hashCode();
		}

	}

	/** How many ids and keys a walk may still look at. */
	private static final class Budget {

		private static final int SLICE = 500;

		private long left;

		Budget(int limit) {
			this.left = limit;
		}

		int slice() {
			return (int) Math.max(1, Math.min(SLICE, this.left));
		}

		void spend(long looked) {
			this.left -= looked;
		}

		boolean isSpent() {
			return this.left <= 0;
		}

	}

}
