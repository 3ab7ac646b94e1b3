! CARRIAGECONTROL=, READONLY, SHARED and NOSHARED: stops with a code if one of them does not do what it says.
program dec_open
  implicit none
  character(20) :: word
  character(60) :: expected
  character(1) :: c
  integer :: k, ios
  logical :: there
  open (unit=11, file='dec_open.txt', action='write', carriagecontrol='fortran', noshared)
  inquire (unit=11, carriagecontrol=word)
  if (word /= 'FORTRAN') stop 1
  inquire (unit=11, share=word)
  if (word /= 'DENYRW') stop 2
  write (11, '(a)') '+a', '-b', '0c', '1d', '$e', char(0) // 'f', ' g'
  close (11)
  expected = 'a' // char(13) // char(10) // 'b' // char(13) // char(10) // char(10) // 'c' // char(13) // char(12) // 'd' &
    // char(13) // char(10) // 'e' // 'f' // char(10) // 'g' // char(13)
  open (unit=11, file='dec_open.txt', access='stream', form='unformatted')
  do k = 1, 60
    read (11, iostat=ios) c
    if (ios /= 0) exit
    if (c /= expected(k:k)) stop 3
  end do
  if (k /= len_trim(expected) + 1) stop 4
  close (11)
  open (unit=11, file='dec_open.txt', readonly, shared)
  inquire (unit=11, action=word)
  if (word /= 'READ') stop 5
  inquire (unit=11, share=word)
  if (word /= 'DENYNONE') stop 6
  close (11, status='delete')
  inquire (file='dec_open.txt', exist=there)
  if (.not. there) stop 7
  open (unit=11, file='dec_open.txt')
  close (11, status='delete')
  inquire (file='dec_open.txt', exist=there)
  if (there) stop 8
end program
