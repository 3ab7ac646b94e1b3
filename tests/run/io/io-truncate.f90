! Output in the middle of a sequential file ends it there; POSITION='APPEND' adds to it.
program truncate
  implicit none
  integer :: k, s, n
  character(10) :: t
  open (10, file='cut.txt', status='replace')
  write (10, '(a,i0)') ('line', k, k = 1, 6)
  rewind (10)
  read (10, *)
  read (10, *)
  write (10, '(a)') 'new'
  call show('after a write')
  open (10, file='cut.txt', position='append')
  write (10, '(a)') 'added'
  call show('after append')
  open (10, file='cut.txt', position='asis')
  read (10, '(a)') t
  backspace (10)
  write (10, '(a)') 'only'
  call show('after backspace')
  open (10, file='cut.txt', position='rewind')
  endfile (10)
  call show('after endfile')
  open (10, file='cut.txt')
  close (10, status='delete')
contains
  subroutine show(what)
    character(*), intent(in) :: what
    close (10)
    print *, what
    open (10, file='cut.txt', status='old')
    n = 0
    do
      read (10, '(a)', iostat=s) t
      if (s /= 0) exit
      n = n + 1
      print *, n, t
    end do
    close (10)
  end subroutine
end program
