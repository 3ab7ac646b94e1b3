! Allocatable scalars, characters of deferred length, SOURCE=, MOLD=, STAT=, function results, dummies.
module m
  implicit none
  integer, allocatable :: table(:)
  character(:), allocatable :: title
contains
  function evens(n) result(r)
    integer, intent(in) :: n
    integer, allocatable :: r(:)
    integer :: i
    r = [(2*i, i = 1, n)]
  end function
  function greet(name) result(s)
    character(*), intent(in) :: name
    character(:), allocatable :: s
    s = 'hello ' // trim(name)
  end function
  subroutine fill(a, n)
    integer, allocatable, intent(out) :: a(:)
    integer, intent(in) :: n
    integer :: i
    print *, allocated(a)
    allocate (a(0:n))
    do i = 0, n
      a(i) = i * i
    end do
  end subroutine
  subroutine extend(s)
    character(:), allocatable, intent(inout) :: s
    s = s // '!'
  end subroutine
  subroutine early(k)
    integer, intent(in) :: k
    real, allocatable :: work(:)
    allocate (work(k))
    work = k
    if (k > 2) return
    print *, sum(work)
  end subroutine
end module
program scalars
  use m
  implicit none
  integer, allocatable :: k, a(:), b(:, :)
  character(:), allocatable :: s, t
  character(3), allocatable :: names(:)
  integer :: stat, i
  character(60) :: msg
  print *, allocated(k)
  k = 5
  print *, allocated(k), k
  deallocate (k)
  allocate (k, source=8)
  print *, k
  s = 'abc'
  print *, len(s), s
  s = s // 'defg'
  print *, len(s), s
  t = greet('world  ')
  print *, len(t), t, len(greet('x'))
  call extend(t)
  print *, len(t), t
  allocate (character(10) :: title)
  title = 'short'
  print *, len(title)
  title(:) = 'longer than that'
  print *, '[', title, ']'
  a = evens(4)
  print *, a, sum(evens(3))
  call fill(a, 3)
  print *, lbound(a), ubound(a), a
  allocate (a(2), stat=stat, errmsg=msg)
  print *, stat, trim(msg)
  deallocate (a)
  deallocate (a, stat=stat)
  print *, stat
  allocate (b(2, 3), source=reshape([1, 2, 3, 4, 5, 6], [2, 3]))
  allocate (table, mold=b(:, 1))
  table = 9
  print *, b, size(table), table
  deallocate (table)
  allocate (table, source=b(2, :))
  print *, table
  names = ['one', 'two']
  names = [names, 'six']
  print *, names, size(names)
  do i = 1, 4
    call early(i)
  end do
  call move_alloc(table, a)
  print *, allocated(table), a
end program
