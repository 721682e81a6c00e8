package io.asynq.internal.redis;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.driver.CallTime;
import io.asynq.internal.redis.driver.LettuceCalls;
import io.asynq.internal.redis.driver.NotAnswered;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.FixedBackOff;

/** The only way to Redis: encodes arguments and translates errors. */
public final class ScriptRunner {

	private static final Logger logger = OneLineLogger.of(ScriptRunner.class);

	private static final Pattern ANSWER = Pattern.compile("[A-Z]{3,} ");

	/** How lib/must names a key of another type, among what Redis puts around it. */
	private static final Pattern WRONG_TYPE = Pattern.compile("WRONGTYPE <(.*)>", Pattern.DOTALL);

	/** A few hundred milliseconds, for a Redis that starts or becomes a master. */
	private static final FixedBackOff CHANGING = new FixedBackOff(25, 10);

	/** Two seconds: moving a slot takes as long as its keys are many. */
	private static final FixedBackOff MOVING = new FixedBackOff(50, 40);

	private final Connections connections;

	private final @Nullable Duration callTime;

	private volatile boolean cluster;

	public ScriptRunner(RedisConnectionFactory factory) {
		this(factory, null);
	}

	public ScriptRunner(RedisConnectionFactory factory, @Nullable Duration callTime) {
		this.connections = new Connections(factory);
		this.callTime = callTime;
		this.cluster = this.connections.areOfCluster();
	}

	/** Gives several calls the time of one. */
	public <T> T within(Supplier<T> calls) {
		return (this.callTime != null) ? CallTime.within(this.callTime, calls) : calls.get();
	}

	/** As of the last script, or as the driver's settings tell before the first. */
	public boolean isCluster() {
		return this.cluster;
	}

	/** Known even before any script has run. */
	public boolean seesCluster() {
		if (!this.cluster) {
			this.cluster = call("CONNECT", "its kind",
					() -> within(() -> this.connections.call(false, this.connections::isCluster)));
		}
		return this.cluster;
	}

	/** The driver may repeat what was not answered. */
	public boolean mayRepeat() {
		return this.connections.mayRepeat();
	}

	/** {@code subject} is for error messages: "queue 'default'". */
	public long runLong(LuaScript script, String subject, List<String> keys, Object... args) {
		return (Long) run(script, subject, keys, Arrays.asList(args));
	}

	@SuppressWarnings("unchecked")
	public List<Object> runList(LuaScript script, String subject, List<String> keys, Object... args) {
		return (List<Object>) run(script, subject, keys, Arrays.asList(args));
	}

	public int[] runCodes(LuaScript script, String subject, List<String> keys, List<Object> args) {
		List<?> answer = (List<?>) run(script, subject, keys, args);
		int[] codes = new int[answer.size()];
		for (int i = 0; i < codes.length; i++) {
			codes[i] = ((Long) answer.get(i)).intValue();
		}
		return codes;
	}

	public static List<?> runOver(RedisConnection connection, LuaScript script, String subject, List<String> keys) {
		byte[][] bytes = keysAndArgs(keys, List.of());
		return (List<?>) call(script.name(), subject, () -> evalAsGiven(connection, script, keys.size(), bytes));
	}

	/** Commands must be idempotent: they run once more if their answer is lost. */
	public <T> T run(String name, String subject, Function<RedisTemplate<String, byte[]>, T> command) {
		return call(name, subject, () -> within(
				() -> ask(true, (again) -> patiently(() -> command.apply(this.connections.template(!again))))));
	}

	/** For commands without a key, over unchecked connections of the application. */
	public <T> T runAsGiven(String name, String subject, RedisCallback<T> command) {
		return call(name, subject, () -> within(() -> this.connections.callAsGiven(command)));
	}

	private Object run(LuaScript script, String subject, List<String> keys, List<?> args) {
		byte[][] keysAndArgs = keysAndArgs(keys, args);
		try {
			return within(() -> ask(script.isRepeatable(), (again) -> this.connections
				.call(!again && script.mayComeLate(), (connection) -> guarded(connection, script, keys, keysAndArgs))));
		}
		catch (DataAccessException | IllegalStateException ex) {
			if (!script.isRepeatable() && (isNotAnswered(ex) || isInterrupted(ex))) {
				throw unavailable(script.name(), subject, ex, Advice.onNoAnswer(script));
			}
			throw refusal(script, subject, ex);
		}
	}

	/** Translates an error that a script has caught and answered. */
	public BrokerException refusal(LuaScript script, String subject, String text) {
		return refusal(script, subject, new InvalidDataAccessApiUsageException(text));
	}

	private BrokerException refusal(LuaScript script, String subject, RuntimeException ex) {
		String text = text(ex);
		return translate(script.name(), subject, ex,
				Advice.isUnnamedCommand(text) ? Advice.onCommands(missingRights(script)) : Advice.on(text));
	}

	/** Repeats once if the connection was lost, never after a time-out. */
	private static <T> T ask(boolean repeatable, Function<Boolean, T> question) {
		try {
			return question.apply(false);
		}
		catch (DataAccessException ex) {
			if (!repeatable || !isConnectionLost(ex)) {
				throw ex;
			}
			logger.debug("Asked again: the connection was lost", ex);
			return question.apply(true);
		}
	}

	private static boolean isConnectionLost(DataAccessException ex) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
		return (ex instanceof RedisConnectionFailureException || ex.getCause() instanceof NotAnswered)
				&& !(cause instanceof SocketTimeoutException) && !isAnswer(String.valueOf(cause.getMessage()));
	}

	/** Redis's own errors, such as a wrong password, begin with a word in capitals. */
	private static boolean isAnswer(String text) {
		return ANSWER.matcher(text).lookingAt();
	}

	private static boolean isNotAnswered(RuntimeException ex) {
		return ex instanceof QueryTimeoutException || ex.getCause() instanceof NotAnswered;
	}

	private Collection<String> missingRights(LuaScript script) {
		SortedSet<String> commands = script.commands();
		List<String> args = new ArrayList<>(List.of(Keys.CANCEL_CHANNEL));
		args.addAll(commands);
		byte[][] keysAndArgs = keysAndArgs(List.of(Keys.check(Keys.CHECK_TAGS.get(0))), args);
		try {
			List<?> missing = (List<?>) this.connections.call(false,
					(connection) -> eval(connection, LuaScript.CHECK_RIGHTS, 1, keysAndArgs));
			return missing.isEmpty() ? commands : missing.stream().map(Text::of).toList();
		}
		catch (DataAccessException | IllegalStateException ex) {
			logger.debug("It cannot be told which commands Redis refuses", ex);
			return commands;
		}
	}

	private static byte[][] keysAndArgs(List<String> keys, List<?> args) {
		byte[][] all = new byte[keys.size() + args.size()][];
		int count = 0;
		for (String key : keys) {
			all[count++] = Text.utf8(key);
		}
		for (Object arg : args) {
			all[count++] = (arg instanceof byte[] bytes) ? bytes : Text.utf8(arg.toString());
		}
		return all;
	}

	/**
	 * While a cluster's slot moves, a script whose keys are all here would run and fail
	 * between two writes at a task that has moved; one more key, which never exists,
	 * makes Redis refuse it.
	 */
	private Object guarded(RedisConnection connection, LuaScript script, List<String> keys, byte[][] keysAndArgs) {
		boolean cluster = this.connections.isCluster(connection);
		if (cluster != this.cluster) {
			this.cluster = cluster;
		}
		// For a single key, no other key may be known to lie in its slot
		String absent = cluster ? Keys.absent(keys.get(0)) : null;
		if (absent == null) {
			return patiently(() -> eval(connection, script, keys.size(), keysAndArgs));
		}
		byte[][] more = new byte[keysAndArgs.length + 1][];
		System.arraycopy(keysAndArgs, 0, more, 0, keys.size());
		more[keys.size()] = Text.utf8(absent);
		System.arraycopy(keysAndArgs, keys.size(), more, keys.size() + 1, keysAndArgs.length - keys.size());
		return patiently(() -> eval(connection, script, keys.size() + 1, more));
	}

	private static <T> T patiently(Supplier<T> question) {
		BackOffExecution patience = null;
		while (true) {
			try {
				return question.get();
			}
			catch (RuntimeException ex) {
				String text = text(ex);
				patience = (patience != null) ? patience : (text.startsWith("TRYAGAIN") ? MOVING : CHANGING).start();
				long pause = isChanging(text) ? patience.nextBackOff() : BackOffExecution.STOP;
				if (pause == BackOffExecution.STOP) {
					throw ex;
				}
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
			}
		}
	}

	/** A slot is moving, Redis has just started, or the driver lacks the new master. */
	private static boolean isChanging(String text) {
		return text.startsWith("TRYAGAIN") || text.startsWith("LOADING") || text.contains("READONLY ");
	}

	private Object eval(RedisConnection connection, LuaScript script, int keys, byte[][] keysAndArgs) {
		LettuceCalls once = script.isRepeatable() ? null : this.connections.once(connection);
		if (once == null) {
			return evalAsGiven(connection, script, keys, keysAndArgs);
		}
		return loading(() -> once.evalSha(connection, script.sha1(), script.returns(), keys, keysAndArgs),
				() -> once.eval(connection, script.text(), script.returns(), keys, keysAndArgs));
	}

	private static Object evalAsGiven(RedisConnection connection, LuaScript script, int keys, byte[][] keysAndArgs) {
		RedisScriptingCommands scripting = connection.scriptingCommands();
		return loading(() -> scripting.evalSha(script.sha1(), script.returns(), keys, keysAndArgs),
				() -> scripting.eval(script.text(), script.returns(), keys, keysAndArgs));
	}

	/** Redis forgets scripts when it restarts or flushes them. */
	private static Object loading(Supplier<Object> known, Supplier<Object> loading) {
		try {
			return known.get();
		}
		catch (RuntimeException ex) {
			if (!isUnknownScript(ex)) {
				throw ex;
			}
			return loading.get();
		}
	}

	private static boolean isUnknownScript(RuntimeException ex) {
		String text = NestedExceptionUtils.getMostSpecificCause(ex).getMessage();
		return text != null && text.contains("NOSCRIPT");
	}

	public static <T> T call(String name, String subject, Supplier<T> call) {
		try {
			return call.get();
		}
		catch (DataAccessException | IllegalStateException ex) {
			throw translate(name, subject, ex);
		}
	}

	public static BrokerException translate(String name, String subject, RuntimeException ex) {
		return translate(name, subject, ex, Advice.on(text(ex)));
	}

	private static BrokerException translate(String name, String subject, RuntimeException ex, String advice) {
		String text = text(ex);
		Matcher wrongType = WRONG_TYPE.matcher(text);
		if (wrongType.find()) {
			return new WrongTypeException(wrongType.group(1), name, subject, ex);
		}
		// A driver that connects late meets wrong credentials while it connects
		if (advice.isEmpty() && (isConnectionFailure(ex) || isNoNodeLeft(text))) {
			return unavailable(name, subject, ex, Advice.onConnection(text));
		}
		String message = "Redis refused " + name + " for " + subject + ": " + text + advice;
		return Advice.isOnLogin(text) ? new LoginRefusedException(message, ex) : new BrokerException(message, ex);
	}

	private static BrokerException unavailable(String name, String subject, RuntimeException ex, String advice) {
		return new BrokerUnavailableException(
				"Redis cannot be reached (" + name + ", " + subject + "): " + text(ex) + advice, ex);
	}

	private static boolean isConnectionFailure(RuntimeException ex) {
		return NestedExceptionUtils.getMostSpecificCause(ex) instanceof IOException || isInterrupted(ex)
				|| ex instanceof RedisConnectionFailureException || ex instanceof DataAccessResourceFailureException
				|| isNotAnswered(ex) || ex instanceof IllegalStateException;
	}

	/** The caller was interrupted in Lettuce's wait or in Jedis's for a connection. */
	private static boolean isInterrupted(RuntimeException ex) {
		return NestedExceptionUtils.getMostSpecificCause(ex) instanceof InterruptedException;
	}

	private static String text(RuntimeException ex) {
		if (isInterrupted(ex)) {
			return "the calling thread was interrupted before there was an answer";
		}
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
	}

	/**
	 * Jedis found no node that answers, which Spring may report as a wrong use of its
	 * API, on a cluster and when a pooled connection is opened again.
	 */
	private static boolean isNoNodeLeft(String message) {
		return message.startsWith("No more cluster attempts left") || message.startsWith("Cluster retry deadline")
				|| message.startsWith("Failed to connect to ");
	}

}
