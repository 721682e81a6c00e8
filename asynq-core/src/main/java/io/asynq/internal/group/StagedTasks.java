package io.asynq.internal.group;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Statistics;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;

public final class StagedTasks {

	/** As many as the scripts take: they hand the ids to one command. */
	private static final int CHUNK = 500;

	private final ScriptRunner scripts;

	private final Clock clock;

	private final ScriptTime time;

	private final BrokenTaskListener brokenTasks;

	public StagedTasks(ScriptRunner scripts, Clock clock, ScriptTime time, BrokenTaskListener brokenTasks) {
		this.scripts = scripts;
		this.clock = clock;
		this.time = time;
		this.brokenTasks = brokenTasks;
	}

	/** In order of arrival; takes out what cannot be read. */
	List<TaskMessage> read(String queue, String set) {
		List<Member> members = new ArrayList<>();
		List<Unreadable> unreadable = new ArrayList<>();
		int looked = 0;
		int page;
		do {
			page = readPage(queue, set, looked, members, unreadable);
			looked += page;
		}
		while (page > 0);
		takeOut(queue, set, unreadable);
		return members.stream().sorted(Member.BY_ARRIVAL).map(Member::message).toList();
	}

	List<byte[]> arrivals(String queue, String group, Object second, int most) {
		Keys keys = Keys.of(queue);
		List<Arrival> arrivals = new ArrayList<>();
		List<Object> page;
		do {
			page = this.scripts.runList(LuaScript.READ_ARRIVALS, Text.queue(queue), List.of(keys.group(group)), second,
					keys.taskPrefix(), arrivals.size(), CHUNK);
			for (int i = 0; i < page.size(); i += 2) {
				arrivals.add(new Arrival((byte[]) page.get(i), arrival(Text.of(page.get(i + 1)))));
			}
		}
		while (page.size() == 2 * CHUNK);
		return arrivals.stream()
			.sorted(Comparator.comparingLong(Arrival::number))
			.limit(most)
			.map(Arrival::id)
			.toList();
	}

	/** For one chunk of a set whose task has been stored. */
	void delete(String queue, String set, List<TaskMessage> members) {
		delete(queue, set, Keys.of(queue), idsAndLocks(Keys.of(queue), members));
	}

	/** For a set whose task has been stored. */
	int deleteAll(String queue, String set) {
		Keys keys = Keys.of(queue);
		int deleted = 0;
		int page;
		long left;
		do {
			List<Member> members = new ArrayList<>();
			List<Unreadable> unreadable = new ArrayList<>();
			page = readPage(queue, set, 0, members, unreadable);
			List<Object> idsAndLocks = idsAndLocks(keys, members.stream().map(Member::message).toList());
			unreadable.forEach((task) -> idsAndLocks.addAll(List.of(task.id(), "")));
			left = delete(queue, set, keys, idsAndLocks);
			deleted += page;
		}
		while (page > 0 && left > 0);
		return deleted;
	}

	void archive(String queue, String set, List<TaskMessage> members, String error) {
		Instant now = this.clock.instant();
		for (List<TaskMessage> chunk : chunks(members)) {
			List<Object> idsAndMessages = new ArrayList<>();
			for (TaskMessage member : chunk) {
				idsAndMessages.add(member.id());
				idsAndMessages.add(TaskMessageCodec.encode(member.failed(error, now).build()));
			}
			takeOutOf(queue, set, idsAndMessages);
		}
	}

	/** A single empty chunk if there are no tasks, for the set itself. */
	static List<List<TaskMessage>> chunks(List<TaskMessage> members) {
		List<List<TaskMessage>> chunks = new ArrayList<>();
		for (int from = 0; from == 0 || from < members.size(); from += CHUNK) {
			chunks.add(members.subList(from, Math.min(from + CHUNK, members.size())));
		}
		return chunks;
	}

	/** The lock that a message names is used only if it belongs to this queue. */
	static List<Object> idsAndLocks(Keys keys, List<TaskMessage> members) {
		List<Object> args = new ArrayList<>(members.size() * 2);
		for (TaskMessage member : members) {
			args.add(member.id());
			args.add(member.uniqueKey().startsWith(keys.uniquePrefix()) ? member.uniqueKey() : "");
		}
		return args;
	}

	private int readPage(String queue, String set, int from, List<Member> members, List<Unreadable> unreadable) {
		List<Object> page = this.scripts.runList(LuaScript.READ_STAGED, Text.queue(queue), List.of(set),
				Keys.of(queue).taskPrefix(), from, CHUNK, Batches.MAX_BYTES);
		for (int i = 1; i < page.size(); i += 5) {
			byte[] id = (byte[]) page.get(i);
			String wrong = Text.of(page.get(i + 2));
			try {
				members.add(new Member(TaskMessageCodec.decode(queue, id, (byte[]) page.get(i + 1)),
						Double.parseDouble(Text.of(page.get(i + 3))), arrival(Text.of(page.get(i + 4)))));
			}
			catch (InvalidProtocolBufferException ex) {
				unreadable.add(new Unreadable(id, wrong.equals("missing") ? BrokenTask.Kind.MISSING
						: wrong.isEmpty() ? BrokenTask.Kind.UNDECODABLE : BrokenTask.Kind.WRONG_TYPE));
			}
		}
		return ((Long) page.get(0)).intValue();
	}

	private void takeOut(String queue, String set, List<Unreadable> unreadable) {
		for (int from = 0; from < unreadable.size(); from += CHUNK) {
			List<Unreadable> chunk = unreadable.subList(from, Math.min(from + CHUNK, unreadable.size()));
			List<Object> idsAndMessages = new ArrayList<>();
			chunk.forEach((task) -> idsAndMessages.addAll(List.of(task.id(), "")));
			int[] codes = takeOutOf(queue, set, idsAndMessages);
			for (int i = 0; i < codes.length; i++) {
				if (codes[i] > 0) {
					Unreadable task = chunk.get(i);
					this.brokenTasks.onBrokenTask(new BrokenTask(queue, Text.of(task.id()), task.kind()));
				}
			}
		}
	}

	private int[] takeOutOf(String queue, String set, List<Object> idsAndMessages) {
		Keys keys = Keys.of(queue);
		Statistics statistics = new Statistics(keys, this.time);
		List<Object> args = statistics.args();
		args.addAll(Statistics.archiveLimits());
		args.addAll(idsAndMessages);
		return this.scripts.runCodes(LuaScript.ARCHIVE_STAGED, Text.queue(queue),
				statistics.failureKeys(set, keys.archived()), args);
	}

	private long delete(String queue, String set, Keys keys, List<Object> idsAndLocks) {
		List<Object> args = new ArrayList<>(idsAndLocks.size() + 1);
		args.add(keys.taskPrefix());
		args.addAll(idsAndLocks);
		return this.scripts.runLong(LuaScript.DELETE_STAGED, Text.queue(queue), List.of(set, keys.aggregated()),
				args.toArray());
	}

	/** A field that somebody has changed by hand must not stop the group. */
	private static long arrival(String number) {
		try {
			return number.isEmpty() ? 0 : Long.parseLong(number);
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	/** {@code arrival} counts within the second, 0 for a task of Go. */
	private record Member(TaskMessage message, double second, long arrival) {

		static final Comparator<Member> BY_ARRIVAL = Comparator.comparingDouble(Member::second)
			.thenComparingLong(Member::arrival);

	}

	private record Arrival(byte[] id, long number) {
	}

	private record Unreadable(byte[] id, BrokenTask.Kind kind) {
	}

}
