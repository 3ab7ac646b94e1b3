! EXIT/CYCLE with many constructs, DO WHILE, labelled do, nested select, internal files
program p
  implicit none
  integer :: i, n
  character(80) :: line
  character(len=*), parameter :: text(3) = ['a=1, b=22', 'c=x      ', 'd=-7     ']
  do i = 1, size(text)
    call parse(text(i))
  end do
  write (line, '(a,i0,a)') 'n=', 42, '!'
  print *, trim(line), len_trim(line)
  read (line(3:4), *) n
  print *, n
contains
  recursive subroutine parse(s)
    character(len=*), intent(in) :: s
    integer :: eq, comma, v, ios
    eq = index(s, '=')
    if (eq == 0) return
    comma = index(s, ',')
    if (comma == 0) comma = len(s) + 1
    read (s(eq+1:comma-1), *, iostat=ios) v
    status: select case (ios)
    case (0)
      if (v < 0) then
        print *, s(1:eq-1), ' negative'
        exit status
      end if
      print *, s(1:eq-1), v
    case default
      print *, s(1:eq-1), ' bad'
    end select status
    if (comma < len(s)) call parse(adjustl(s(comma+1:)))
  end subroutine
end program
