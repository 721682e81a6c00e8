package io.asynq.console.view;

import io.asynq.broker.fleet.ServerIdentity;
import io.asynq.info.ServerInfo;
import io.asynq.server.AsynqServer;
import org.jspecify.annotations.Nullable;

final class OwnProcess {

	private final boolean hasServer;

	private final String host;

	OwnProcess(@Nullable AsynqServer server) {
		this.hasServer = server != null;
		this.host = ServerIdentity.ofThisProcess().host();
	}

	boolean isServer(int pid, String host) {
		return this.hasServer && pid == ProcessHandle.current().pid() && host.equals(this.host);
	}

	/** Others do not tell theirs. */
	@Nullable String versionOf(ServerInfo server) {
		return isServer(server.pid(), server.host()) ? AsynqServer.class.getPackage().getImplementationVersion() : null;
	}

}
