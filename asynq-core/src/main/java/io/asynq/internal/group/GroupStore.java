package io.asynq.internal.group;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.group.GroupLimits;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.Statistics;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.CrashRecord;
import io.asynq.server.BrokenTask;
import io.asynq.server.BrokenTaskListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Unlike in Go, one script stores and deletes, so that a crash cannot leave both. */
public class GroupStore {

	private static final Logger logger = OneLineLogger.of(GroupStore.class);

	/** As in Go. */
	private static final Duration SET_LIFE = Duration.ofMinutes(2);

	private static final int GROUPS_PER_LOOK = 500;

	/** As many as the scripts take: they hand the ids to one command. */
	private static final int CHUNK = 500;

	/** To look at a note takes two or three commands. */
	private static final int NOTES_PER_CALL = 500;

	/** To give a set back may mean to copy its tasks. */
	private static final int SETS_PER_CALL = 100;

	/** What is beyond has its turn in the next pass. */
	private static final int MOST_CALLS = 100;

	private static final int LEFT_OVER_SETS = 100;

	/** By then somebody has given the set back: this server does, if no other. */
	private static final Duration REMEMBERED = Duration.ofMinutes(1);

	/** A server that lives says sooner that the time of its aggregator was over. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final PublishedQueues published;

	private final Clock clock;

	private final BrokenTaskListener brokenTasks;

	/** Ranks would shift while entries come and go. */
	private final Map<Pass, String> cursors = new ConcurrentHashMap<>();

	public GroupStore(ScriptRunner scripts, Clock clock, ScriptTime time, PublishedQueues published,
			BrokenTaskListener brokenTasks) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
		this.clock = clock;
		this.brokenTasks = brokenTasks;
	}

	/** Looks at a few hundred groups per call. */
	public DueGroups due(String queue, GroupLimits limits, @Nullable String from) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.DUE_GROUPS, Text.queue(queue), List.of(keys.groups()),
				(from != null) ? from : "0", keys.groupPrefix(), this.time.argument(), limits.gracePeriod().toSeconds(),
				limits.maxDelay().toSeconds(), limits.maxSize(), GROUPS_PER_LOOK);
		String next = Text.of(answer.get(0));
		String earliest = Text.of(answer.get(1));
		return new DueGroups(answer.subList(2, answer.size()).stream().map(Text::of).toList(),
				earliest.isEmpty() ? null : Duration.ofMillis(Long.parseLong(earliest)),
				next.equals("0") ? null : next);
	}

	public @Nullable StagedGroup stage(String queue, String group, GroupLimits limits) {
		Keys keys = Keys.of(queue);
		String set = keys.stagedSet(group, UUID.randomUUID());
		String subject = new GroupName(queue, group).toString();
		List<Object> args = new ArrayList<>(List.of(group, this.time.argument(), limits.gracePeriod().toSeconds(),
				limits.maxDelay().toSeconds(), limits.maxSize(), SET_LIFE.toSeconds(), ""));
		long sentNanos = this.time.nanoTime();
		List<Object> answer = stage(keys, subject, set, args);
		if ((Long) answer.get(0) < 0) {
			args.set(args.size() - 1, answer.get(1));
			args.addAll(arrivals(queue, group, answer.get(1), limits.maxSize()));
			sentNanos = this.time.nanoTime();
			answer = stage(keys, subject, set, args);
		}
		long size = (Long) answer.get(0);
		return (size > 0) ? new StagedGroup(queue, group, set, (int) size, Text.instant((Long) answer.get(1)),
				sentNanos + TimeUnit.MILLISECONDS.toNanos((Long) answer.get(2))) : null;
	}

	/** Archives what cannot be decoded; in the order of joining, to the second. */
	public List<TaskMessage> read(StagedGroup staged) {
		List<Member> members = new ArrayList<>();
		List<Unreadable> unreadable = new ArrayList<>();
		int looked = 0;
		int page;
		do {
			page = readPage(staged.queue(), staged.set(), looked, members, unreadable);
			looked += page;
		}
		while (page > 0);
		takeOut(staged.queue(), staged.set(), unreadable);
		return members.stream().sorted(Member.BY_ARRIVAL).map(Member::message).toList();
	}

	/**
	 * Stores the task and deletes the set's atomically; some of very many go later, but
	 * none goes back to the group.
	 */
	public AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task) {
		Keys keys = Keys.of(staged.queue());
		NewTask stored = NewTask.of(task);
		this.published.publish(staged.queue());
		List<List<TaskMessage>> chunks = chunks(members);
		List<Object> args = new ArrayList<>(List.of(keys.prefix(), this.time.argument()));
		args.addAll(stored.args());
		args.addAll(idsAndLocks(keys, chunks.get(0)));
		int code = (int) this.scripts.runLong(LuaScript.FINISH_STAGED, staged.name().toString(),
				List.of(keys.aggregationSets(), staged.set(), keys.aggregated(), keys.container(stored.state())),
				args.toArray());
		if (code == 2) {
			deleteRest(staged, chunks.subList(1, chunks.size()));
		}
		return switch (code) {
			case 1, 2 -> AggregationStatus.ENQUEUED;
			case 0 -> AggregationStatus.ID_CONFLICT;
			case -1 -> AggregationStatus.DUPLICATE;
			case -4 -> AggregationStatus.EXPIRED;
			default -> throw Refusal.of(stored.message(), code).orElseThrow();
		};
	}

	/** Does nothing if the set was finished or has expired. */
	public void giveBack(StagedGroup staged) {
		Keys keys = Keys.of(staged.queue());
		this.scripts.runLong(LuaScript.GIVE_BACK_STAGED, staged.name().toString(),
				List.of(keys.group(staged.group()), staged.set(), keys.aggregationSets(), keys.groups()),
				staged.group());
	}

	public void archive(StagedGroup staged, List<TaskMessage> members, String error) {
		Instant now = this.clock.instant();
		for (List<TaskMessage> chunk : chunks(members)) {
			List<Object> idsAndMessages = new ArrayList<>();
			for (TaskMessage member : chunk) {
				idsAndMessages.add(member.id());
				idsAndMessages.add(TaskMessageCodec.encode(member.failed(error, now).build()));
			}
			takeOutOf(staged.queue(), staged.set(), idsAndMessages);
		}
	}

	/** To be called before the aggregator; returns the crashes of earlier ones. */
	public CrashRecord begin(StagedGroup staged) {
		Keys keys = Keys.of(staged.queue());
		ServerIdentity server = ServerIdentity.ofThisProcess();
		return record(
				Text.of(this.scripts
					.runList(LuaScript.BEGIN_AGGREGATOR, Text.queue(staged.queue()),
							List.of(keys.aggregators(), keys.aggregatorCrashes()), staged.set(), staged.group(),
							server.host() + ":" + server.pid(), Text.seconds(staged.expiresAt()), keys.groupPrefix(),
							this.time.argument())
					.get(0)));
	}

	public void end(StagedGroup staged, End how) {
		Keys keys = Keys.of(staged.queue());
		String text = switch (how) {
			case BY_ITSELF -> "own";
			case CUT_SHORT -> "cut";
			case CRASHED -> "crash";
		};
		this.scripts.runLong(LuaScript.END_AGGREGATOR, Text.queue(staged.queue()),
				List.of(keys.aggregators(), keys.aggregatorCrashes()), staged.set(), staged.group(), text,
				this.time.argument(), keys.groupPrefix());
	}

	/** Counts aggregators that went down with their servers, once their sets expired. */
	public int countCrashed(String queue) {
		Keys keys = Keys.of(queue);
		return (int) this.scripts.runLong(LuaScript.COUNT_CRASHED_AGGREGATORS, Text.queue(queue),
				List.of(keys.aggregators(), keys.aggregatorCrashes()), this.time.argument(), keys.groupPrefix(),
				PATIENCE.toSeconds());
	}

	/**
	 * Lists groups that Go filled without listing them, and gives back staged sets that
	 * were not aggregated in time; bounded, so the next call continues.
	 */
	public Relisted relist(String queue) {
		Keys keys = Keys.of(queue);
		int sets = giveBack(queue, keys);
		walk(new Pass(queue, LuaScript.NOTE_STAGED), keys, List.of(keys.aggregationSets(), keys.notedGroups()));
		int groups = walk(new Pass(queue, LuaScript.RELIST_GROUPS), keys, List.of(keys.groups(), keys.notedGroups()),
				this.time.argument(), REMEMBERED.toSeconds());
		return new Relisted(groups, sets);
	}

	/** Deletes tasks of sets whose server died after the aggregation. */
	public int deleteLeftOver(String queue) {
		Keys keys = Keys.of(queue);
		Set<byte[]> sets = this.scripts.run("ZRANGE", Text.queue(queue),
				(template) -> template.opsForZSet().range(keys.aggregated(), 0, LEFT_OVER_SETS - 1));
		int deleted = 0;
		for (byte[] set : (sets != null) ? sets : Set.<byte[]>of()) {
			deleted += deleteAll(queue, Text.of(set));
		}
		return deleted;
	}

	private List<Object> stage(Keys keys, String subject, String set, List<Object> args) {
		return this.scripts.runList(LuaScript.STAGE_GROUP, subject,
				List.of(keys.group((String) args.get(0)), set, keys.aggregationSets(), keys.groups()), args.toArray());
	}

	/** A failure does no harm: the set is listed, so any server deletes the rest. */
	private void deleteRest(StagedGroup staged, List<List<TaskMessage>> chunks) {
		Keys keys = Keys.of(staged.queue());
		try {
			chunks.forEach((chunk) -> delete(staged.queue(), staged.set(), keys, idsAndLocks(keys, chunk)));
		}
		catch (BrokerException ex) {
			logger.warn("Aggregated tasks of {} are deleted later: {}", staged.name(), ex.getMessage());
		}
	}

	private int giveBack(String queue, Keys keys) {
		int givenBack = 0;
		for (int call = 0; call < MOST_CALLS; call++) {
			int[] answer = this.scripts.runCodes(LuaScript.GIVE_BACK_EXPIRED, Text.queue(queue),
					List.of(keys.groups(), keys.aggregationSets()),
					List.of(this.time.argument(), keys.groupPrefix(), SETS_PER_CALL));
			givenBack += answer[1];
			if (answer[0] < SETS_PER_CALL) {
				break;
			}
		}
		return givenBack;
	}

	private int walk(Pass pass, Keys keys, List<String> names, Object... more) {
		int[] changed = { 0 };
		this.cursors.put(pass, Batches.walk(this.cursors.getOrDefault(pass, "0"), MOST_CALLS, (cursor) -> {
			List<Object> args = new ArrayList<>(List.of(cursor, keys.groupPrefix(), NOTES_PER_CALL));
			args.addAll(List.of(more));
			return this.scripts.runList(pass.script(), Text.queue(pass.queue()), names, args.toArray());
		}, (slice) -> changed[0] += ((Long) slice.get(0)).intValue()));
		return changed[0];
	}

	private List<byte[]> arrivals(String queue, String group, Object second, int most) {
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

	/** For a set whose task has been stored. */
	private int deleteAll(String queue, String set) {
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

	/** A single empty chunk if there are no tasks, for the set itself. */
	private static List<List<TaskMessage>> chunks(List<TaskMessage> members) {
		List<List<TaskMessage>> chunks = new ArrayList<>();
		for (int from = 0; from == 0 || from < members.size(); from += CHUNK) {
			chunks.add(members.subList(from, Math.min(from + CHUNK, members.size())));
		}
		return chunks;
	}

	/** The lock that a message names is used only if it belongs to this queue. */
	private static List<Object> idsAndLocks(Keys keys, List<TaskMessage> members) {
		List<Object> args = new ArrayList<>(members.size() * 2);
		for (TaskMessage member : members) {
			args.add(member.id());
			args.add(member.uniqueKey().startsWith(keys.uniquePrefix()) ? member.uniqueKey() : "");
		}
		return args;
	}

	private static CrashRecord record(String text) {
		int bar = text.indexOf('|');
		String count = text.substring(0, Math.max(bar, 0));
		if (!count.matches("\\d{1,6}")) {
			return CrashRecord.CLEAN;
		}
		List<String> deaths = Stream.of(text.substring(bar + 1).split(",")).map(GroupStore::death).toList();
		return new CrashRecord(true, Integer.parseInt(count), deaths, 0);
	}

	private static String death(String serverAndSeconds) {
		int space = serverAndSeconds.lastIndexOf(' ');
		String seconds = serverAndSeconds.substring(space + 1);
		return seconds.matches("\\d{1,12}")
				? serverAndSeconds.substring(0, space + 1) + Text.instant(Long.parseLong(seconds)) : serverAndSeconds;
	}

	public enum End {

		BY_ITSELF,

		/** It was given up. */
		CUT_SHORT,

		/** It has stopped its own server. */
		CRASHED

	}

	/**
	 * A group may appear twice; {@code untilNext} is a day at most, {@code next} is
	 * {@code null} at the end.
	 */
	public record DueGroups(List<String> groups, @Nullable Duration untilNext, @Nullable String next) {
	}

	public enum AggregationStatus {

		ENQUEUED,

		/** The set expired, and its tasks went back to the group. */
		EXPIRED,

		ID_CONFLICT,

		DUPLICATE

	}

	private record Pass(String queue, LuaScript script) {
	}

	public record Relisted(int groups, int sets) {
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
