package io.asynq.broker;

/**
 * Names one run of one server (asynq G08).
 *
 * @param host host name
 * @param pid process id
 * @param serverId a UUID, new at every start
 */
public record ServerIdentity(String host, int pid, String serverId) {
}
