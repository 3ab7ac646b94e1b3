! FGETC, FPUTC, FSEEK, FTELL, STAT, CHMOD and others that GNU Fortran has, as subroutines and as functions.
program io_bytes
  implicit none
  character(len=3) :: c
  integer :: status, k, old
  integer :: values(13), few(15)
  integer(8) :: at, address
  integer :: day(3), moment(9)
  open (10, file='bytes.tmp', status='replace')
  call fputc(10, 'a')
  call fputc(10, 'bcd', status)
  print *, status
  call fputc(10, char(10))
  write (10, '(a)') 'line two'
  call fputc(10, 'z')
  call ftell(10, at)
  print *, at
  call fseek(10, 1, 0)
  c = 'xyz'
  call fgetc(10, c)
  print *, c
  call fseek(10, 1_8, 1, status)
  print *, status
  call fgetc(10, c)
  print *, iachar(c(1:1)), c(2:3)
  read (10, '(a)') c
  print *, c
  call fseek(10, -1, 2, status)
  call fgetc(10, c, status)
  print *, status, c
  call fgetc(10, c, status)
  print *, status, '[', c, ']'
  rewind 10
  read (10, '(a)') c
  print *, c
  flush (10)
  call fstat(10, values, status)
  print *, status, values(8)
  call stat('bytes.tmp', few(2:14), status)
  print *, status, all(few(2:9) == values(1:8)), few(9)
  call chmod('bytes.tmp', 'u=rw,go=', status)
  call lstat('bytes.tmp', values, k)
  print *, status, k, iand(values(3), 511)
  call chmod('bytes.tmp', '644', status)
  call lstat('bytes.tmp', values)
  print *, status, iand(values(3), 511)
  call functions()
  close (10, status='delete')
  call umask(18, old)
  call umask(old, k)
  print *, k
  call idate(day)
  print *, day(3) > 2000, day(2) < 13
  call gmtime(0, moment)
  print *, moment
  address = malloc(100)
  print *, address /= 0
  call free(address)
  call fput('o')
  call fput('k', status)
  call fput(new_line('a'))
  print *, status
  call random_init(.true., .true.)
  print *, ran(0) >= 0
end program

subroutine functions()
    implicit none
    character(len=3) :: c = 'uvw'
    integer :: status
    integer :: wide(0:12)
    call fseek(10, 0, 2)
    print *, fputc(10, 'c'), fputc(77, c)
    call fseek(10, 2, 0, status)
    print *, status, fgetc(10, c), iachar(c(1:1)), fgetc(77, c)
    print *, ftell(10), ftell(77)
    print *, lstat('bytes.tmp', wide), wide(7), stat('no such file', wide) > 0
    print *, chmod('bytes.tmp', 'a+x'), stat('bytes.tmp', wide), iand(wide(2), 511), fstat(10, wide)
    call fput('!')
    print *
end subroutine
