package io.asynq.broker.fleet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/**
 * Identifies one run of one server or scheduler.
 *
 * @param host host name
 * @param pid process id
 * @param serverId a UUID, new at every start
 */
public record ServerIdentity(String host, int pid, String serverId) {

	/**
	 * Names a new run in this process.
	 * @return a name that nobody has
	 */
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
