// Snapshots in files: written by a thread in the background, read ahead of their use, and checked.
//
// Guarantees: a file that has its name is whole (it is written under another name, and renamed); what is read is what was written
// (CRC-32C of header and content), or the run stops; the files are gone when the loop's reversal is over. What goes wrong with a file,
// a full disk above all, ends the run with its name, its size and the loop.
//
// Several runs, ranks and checkpoints in checkpoints may use one folder: each object claims a number, by a lock that the system
// releases when the process dies. What a killed run has left under that number is removed.
#ifndef CONTRAFLOW_SNAPSHOT_FILES_HPP
#define CONTRAFLOW_SNAPSHOT_FILES_HPP

#include <contraflow/checkpoint.hpp>
#include <contraflow/crc32c.hpp>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace contraflow {

// Where the snapshots of all checkpoints with files go; empty: where their annotations say. CONTRAFLOW_SNAPSHOTS in the environment
// is its first value.
inline std::string& snapshotFolder() {
  static std::string folder = std::getenv("CONTRAFLOW_SNAPSHOTS") != nullptr ? std::getenv("CONTRAFLOW_SNAPSHOTS") : "";
  return folder;
}

namespace detail {

struct SnapshotHeader {
  char magic[8];
  std::uint64_t number, bytes;
  std::uint32_t contentCrc, crc;  // the latter: of what stands before it
};

// One file, from open to close. Each failure ends the run.
class SnapshotFile {
public:
  SnapshotFile(std::string path, const std::string& region, std::size_t bytes) : path_(std::move(path)), region_(region), bytes_(bytes) {}
  SnapshotFile(const SnapshotFile&) = delete;
  SnapshotFile& operator=(const SnapshotFile&) = delete;
  ~SnapshotFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  // `durable`: it is on the disk, even if the machine goes down.
  void write(const SnapshotHeader& header, const std::byte* content, bool durable) {
    const std::string beside = path_ + ".tmp";
    descriptor_ = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) failed("open");
    put(&header, sizeof header);
    put(content, bytes_);
    if (durable && ::fsync(descriptor_) != 0) failed("write");
    if (::close(std::exchange(descriptor_, -1)) != 0) failed("write");
    if (::rename(beside.c_str(), path_.c_str()) != 0) failed("rename");
  }
  SnapshotBytes read(std::uint64_t number) {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) failed("open");
    SnapshotHeader header{};
    get(&header, sizeof header);
    if (std::memcmp(header.magic, kMagic, sizeof header.magic) != 0 || header.crc != crc32c(&header, offsetof(SnapshotHeader, crc)) ||
        header.number != number || header.bytes != bytes_)
      damaged("its header isn't the one that was written");
    SnapshotBytes content = newSnapshotBytes(bytes_);
    if (content == nullptr) damaged("there is no memory for it");
    get(content.get(), bytes_);
    if (header.contentCrc != crc32c(content.get(), bytes_)) damaged("its checksum is another one than when it was written");
    return content;
  }
  static SnapshotHeader headerOf(std::uint64_t number, const std::byte* content, std::size_t bytes) {
    SnapshotHeader header{};
    std::memcpy(header.magic, kMagic, sizeof header.magic);
    header.number = number;
    header.bytes = bytes;
    header.contentCrc = crc32c(content, bytes);
    header.crc = crc32c(&header, offsetof(SnapshotHeader, crc));
    return header;
  }

private:
  static constexpr const char* kMagic = "CFSNAP1";

  void put(const void* from, std::size_t bytes) {
    for (const char* at = static_cast<const char*>(from); bytes != 0;) {
      const ssize_t done = ::write(descriptor_, at, bytes < kPiece ? bytes : kPiece);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) failed("write");
      at += done;
      bytes -= static_cast<std::size_t>(done);
    }
  }
  void get(void* to, std::size_t bytes) {
    for (char* at = static_cast<char*>(to); bytes != 0;) {
      const ssize_t done = ::read(descriptor_, at, bytes < kPiece ? bytes : kPiece);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) failed("read");
      if (done == 0) damaged("it is shorter than it was written");
      at += done;
      bytes -= static_cast<std::size_t>(done);
    }
  }
  [[noreturn]] void failed(const char* what) const {
    const int error = errno;
    std::fprintf(stderr, "contraflow: can't %s '%s', a snapshot of %zu bytes of %s: %s%s\n", what, path_.c_str(), bytes_,
                 region_.c_str(), std::strerror(error), error == ENOSPC || error == EDQUOT ? "; free some space, or name another folder" : "");
    std::abort();
  }
  [[noreturn]] void damaged(const char* why) const {
    std::fprintf(stderr, "contraflow: '%s', a snapshot of %zu bytes of %s, can't be used: %s\n", path_.c_str(), bytes_,
                 region_.c_str(), why);
    std::abort();
  }

  static constexpr std::size_t kPiece = std::size_t(1) << 26;
  const std::string path_;
  const std::string& region_;
  const std::size_t bytes_;
  int descriptor_ = -1;
};

// Names that nobody else in the folder uses, from construction to destruction.
class FolderClaim {
public:
  // The name with the first number that is free; or the name itself, with the files that a killed run has left, for one that goes on.
  FolderClaim(const std::string& folder, const std::string& name, const std::string& region, bool goesOn)
      : folder_(folder), prefix_(name + "."), keeps_(goesOn) {
    makeFolder(region);
    if (goesOn) {
      tryLock(region);
      if (descriptor_ >= 0) return;
      std::fprintf(stderr, "contraflow: another process, or another thread, uses '%s', for snapshots of %s; name another folder\n",
                   pathOf("*").c_str(), region.c_str());
      std::abort();
    }
    for (int number = 0; descriptor_ < 0; ++number) {
      prefix_ = name + "-" + std::to_string(number) + ".";
      tryLock(region);
    }
    removeFiles({});
  }
  FolderClaim(const FolderClaim&) = delete;
  FolderClaim& operator=(const FolderClaim&) = delete;
  ~FolderClaim() {
    if (!keeps_) {
      removeFiles({});
      ::unlink(pathOf("lock").c_str());
    }
    ::close(descriptor_);
    if (!keeps_ && made_) ::rmdir(folder_.c_str());  // fails if others have files in it
  }
  // Nothing is left to go on with.
  void over() noexcept { keeps_ = false; }
  // The files there are, by what is behind their prefix.
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    DIR* folder = ::opendir(folder_.c_str());
    if (folder == nullptr) return all;
    while (const dirent* one = ::readdir(folder)) {
      const std::string name = one->d_name;
      if (name.compare(0, prefix_.size(), prefix_) == 0 && name != prefix_ + "lock") all.push_back(name.substr(prefix_.size()));
    }
    ::closedir(folder);
    return all;
  }
  // States first, the oldest before others: one that is there when the run is killed has all its snapshots.
  void removeFiles(const std::set<std::string>& butFor) const {
    std::vector<std::string> all = files();
    std::sort(all.begin(), all.end(), [](const std::string& a, const std::string& b) { return std::atoll(a.c_str()) < std::atoll(b.c_str()); });
    for (const bool states : {true, false})
      for (const std::string& name : all)
        if (isState(name) == states && butFor.count(name) == 0) ::unlink(pathOf(name).c_str());
  }
  static bool isState(const std::string& name) {
    const std::string ending = kState;
    return name.size() >= ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
  }
  static constexpr const char* kState = ".state";  // what a run goes on from
  std::string pathOf(const std::string& name) const { return folder_ + "/" + prefix_ + name; }

private:
  void makeFolder(const std::string& region) {
    made_ = ::mkdir(folder_.c_str(), 0777) == 0;
    if (!made_ && errno != EEXIST) failed("make the folder", folder_, region);
  }
  // Leaves the descriptor at -1 if somebody else has the lock.
  void tryLock(const std::string& region) {
    const std::string path = pathOf("lock");
    for (;;) {
      const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (lock < 0 && errno == ENOENT) {  // who made the folder has removed it
        makeFolder(region);
        continue;
      }
      if (lock < 0) failed("open", path, region);
      if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) failed("lock", path, region);
        ::close(lock);
        return;
      }
      // Who had it before may have removed the file in between; then the lock is one on nothing.
      struct stat mine {}, there {};
      if (::fstat(lock, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev) {
        descriptor_ = lock;
        return;
      }
      ::close(lock);
    }
  }
  [[noreturn]] static void failed(const char* what, const std::string& path, const std::string& region) {
    std::fprintf(stderr, "contraflow: can't %s '%s', for snapshots of %s: %s\n", what, path.c_str(), region.c_str(), std::strerror(errno));
    std::abort();
  }

  const std::string folder_;
  std::string prefix_;
  bool keeps_, made_ = false;  // the files; it has made the folder
  int descriptor_ = -1;
};

// With one '_' for all between what a name may be made of.
inline std::string fileName(const std::string& text) {
  std::string out;
  for (char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (plain || out.empty() || out.back() != '_') out += plain ? c : '_';
  }
  return out;
}

// The rank that the launcher of an MPI program gave this process, for names; without one: nothing.
inline std::string rankInNames() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return "-rank" + fileName(rank);
  return "";
}

// The files of one checkpoint, and the thread that writes and reads them.
class SnapshotFiles final : public SnapshotStore {
public:
  // `number`: of a checkpoint that goes on after the program was killed; -1 for others.
  SnapshotFiles(const std::string& folder, const std::string& region, int number = -1)
      : region_(region),
        durable_(number >= 0),
        claim_(folder, fileName(region) + rankInNames() + (durable_ ? "-restart" + std::to_string(number) : ""), region, durable_),
        worker_([this] { work(); }) {}
  ~SnapshotFiles() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  // Returns at once, unless two others wait to be written: then it waits for one.
  std::uint64_t write(SnapshotBytes bytes, std::size_t size) override { return write(std::move(bytes), size, ".snapshot"); }
  std::uint64_t write(SnapshotBytes bytes, std::size_t size, const char* ending) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ < kMostWaiting; });
    const std::uint64_t number = next_++;
    File& file = files_[number];
    file.bytes = std::move(bytes);
    file.size = size;
    file.ending = ending;
    file.state = State::ToWrite;
    ++waiting_;
    queue_.push_back(number);
    changed_.notify_all();
    return number;
  }
  void prefetch(std::uint64_t number) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    File& file = files_.at(number);
    if (file.bytes != nullptr || file.state != State::OnDisk) return;
    const auto before = files_.find(ahead_);
    if (before != files_.end() && before->second.state == State::OnDisk) before->second.bytes = nullptr;  // one at a time
    ahead_ = number;
    file.state = State::ToRead;
    queue_.push_front(number);
    changed_.notify_all();
  }
  SnapshotBytes read(std::uint64_t number) override {
    prefetch(number);
    std::unique_lock<std::mutex> lock(mutex_);
    File& file = files_.at(number);
    changed_.wait(lock, [&] { return file.bytes != nullptr; });
    return file.state == State::OnDisk ? std::move(file.bytes) : file.bytes;  // while it is being written, both have it
  }
  // Where something goes on after a kill, till it may be gone (removeNow): the last state on the disk has it.
  void remove(std::uint64_t number) override {
    if (durable_) released_.push_back(number);
    else removeNow(number);
  }
  void removeNow(std::uint64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    File& file = files_.at(number);
    file.removed = true;
    if (file.state == State::OnDisk) queue_.push_back(number);
    changed_.notify_all();
  }

  // --- for what goes on after a kill: restart.hpp

  // Waits till all is on the disk.
  void flush() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ == 0; });
  }
  // What was given to remove() since the last call.
  std::vector<std::uint64_t> takeReleased() { return std::exchange(released_, {}); }
  // A file that is on the disk already; later ones get higher numbers.
  void adopt(std::uint64_t number, std::size_t size, const char* ending) {
    const std::lock_guard<std::mutex> lock(mutex_);
    File& file = files_[number];
    file.size = size;
    file.ending = ending;
    file.state = State::OnDisk;
    next_ = std::max(next_, number + 1);
  }
  std::string nameOf(std::uint64_t number, const char* ending) const { return std::to_string(number) + ending; }
  FolderClaim& claim() noexcept { return claim_; }
  const std::string& region() const noexcept { return region_; }

private:
  enum class State { ToWrite, OnDisk, ToRead };
  struct File {
    SnapshotBytes bytes;  // to be written, or read ahead
    std::size_t size = 0;
    const char* ending = "";
    State state = State::ToWrite;
    bool removed = false;
  };
  static constexpr int kMostWaiting = 2;

  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return over_ || !queue_.empty(); });
      if (over_) return;  // the claim removes what is left
      const std::uint64_t number = queue_.front();
      queue_.pop_front();
      const auto found = files_.find(number);
      if (found == files_.end()) continue;
      File& file = found->second;  // its address is stable, and only this thread takes it away
      const std::string path = claim_.pathOf(nameOf(number, file.ending));
      if (file.state == State::ToWrite) {
        if (!file.removed) {
          const SnapshotBytes bytes = file.bytes;
          const std::size_t size = file.size;
          lock.unlock();
          SnapshotFile(path, region_, size).write(SnapshotFile::headerOf(number, bytes.get(), size), bytes.get(), durable_);
          lock.lock();
        }
        --waiting_;
        file.bytes = nullptr;
      } else if (file.state == State::ToRead && !file.removed) {
        const std::size_t size = file.size;
        lock.unlock();
        SnapshotBytes bytes = SnapshotFile(path, region_, size).read(number);
        lock.lock();
        file.bytes = std::move(bytes);
      }
      file.state = State::OnDisk;
      if (file.removed) {
        ::unlink(path.c_str());
        files_.erase(found);
      }
      changed_.notify_all();
    }
  }

  const std::string region_;
  const bool durable_;
  FolderClaim claim_;
  std::vector<std::uint64_t> released_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, File> files_;
  std::deque<std::uint64_t> queue_;
  std::uint64_t next_ = 1;
  std::uint64_t ahead_ = 0;  // was read ahead last
  int waiting_ = 0;
  bool over_ = false;
  std::thread worker_;  // last: it uses all of the above
};

}  // namespace detail

// For a checkpoint in generated code: snapshots beyond the newest `inMemory` (or beyond the newest that fit into as many bytes) go to
// files in the folder. `region` is the loop's name in messages.
inline void keepInFiles(Checkpoint& checkpoint, const char* folder, const char* region, std::uint64_t inMemory, bool bytes) {
  const std::string& other = snapshotFolder();
  checkpoint.keepIn(std::make_unique<detail::SnapshotFiles>(other.empty() ? folder : other, region), region, inMemory, bytes);
}

}  // namespace contraflow

#endif
