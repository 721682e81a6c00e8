package io.asynq.operations;

import java.time.Clock;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.Broker;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.internal.fleet.ServerWish;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.operations.survey.FleetSurvey;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerHealth;
import org.jspecify.annotations.Nullable;

public final class ServerOperations {

	static final int KEYS = 30;

	private static final ServerIdentity HERE = ServerIdentity.ofThisProcess();

	static final int MOST_KEYS = 200;

	private final AsynqInspector inspector;

	private final FleetSurvey fleet;

	private final ServerRegistry registry;

	private final @Nullable AsynqServer own;

	public ServerOperations(AsynqInspector inspector, Broker broker, Clock clock, @Nullable AsynqServer own) {
		this.inspector = inspector;
		this.fleet = new FleetSurvey(broker, clock);
		this.registry = RedisBroker.of(broker).servers();
		this.own = own;
	}

	/** Tells whether a server is in this process. */
	public static boolean isHere(ServerInfo server) {
		return server.pid() == HERE.pid() && server.host().equals(HERE.host());
	}

	public List<ServerInfo> servers() {
		return this.inspector.servers();
	}

	public List<LimitInfo> limits() {
		return this.inspector.limits();
	}

	public List<LimitInfo.Key> limitKeys(String limit, @Nullable Integer size) {
		int keys = (size != null) ? size : KEYS;
		if (keys < 1 || keys > MOST_KEYS) {
			throw new AsynqException("Parameter 'size' must be from 1 to " + MOST_KEYS + ", but is " + keys);
		}
		return this.inspector.limitKeys(limit, keys);
	}

	public OwnServer quiet() {
		own().quiet();
		return look();
	}

	public OwnServer resume() {
		own().resume();
		return look();
	}

	/** A server reads what it was asked with its next heartbeat; Go's cannot be asked. */
	public Asked ask(String id, boolean quiet) {
		FleetSurvey.Live server = this.fleet.look()
			.live()
			.stream()
			.filter((live) -> live.info().id().equals(id))
			.findFirst()
			.orElseThrow(() -> new ProblemException(404, "not-found", "There is no live server '" + id + "'"));
		ServerInfo info = server.info();
		if (!server.isJava()) {
			throw new ProblemException(409, "conflict",
					"Server '" + id + "' is Go's, and cannot be asked: send its process (" + info.host() + ":"
							+ info.pid() + ") SIGTSTP, after which it takes no more tasks");
		}
		this.registry.ask(new ServerIdentity(info.host(), info.pid(), id), ServerWish.of(quiet));
		return new Asked(id, quiet);
	}

	public OwnServer look() {
		AsynqServer server = own();
		return new OwnServer(server.state().wireName(), server.statistics().activeWorkers(), server.health());
	}

	private AsynqServer own() {
		if (this.own == null) {
			throw new AsynqException("This application has no server: asynq.server.enabled is false");
		}
		return this.own;
	}

	public record Asked(String server, boolean quiet) {
	}

	public record OwnServer(String state, int activeWorkers, ServerHealth health) {
	}

}
