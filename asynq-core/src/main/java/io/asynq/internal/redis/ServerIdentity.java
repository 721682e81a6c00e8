package io.asynq.internal.redis;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** One run of a server or scheduler: the id is new at every start. */
public record ServerIdentity(String host, int pid, String serverId) {

	public static ServerIdentity ofThisProcess() {
		return new ServerIdentity(thisHost(), (int) ProcessHandle.current().pid(), UUID.randomUUID().toString());
	}

	private static String thisHost() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

}
