! Strings that are longer than the dummy argument, or as long as one that is pointed to; arrays that are passed by characters;
! optional arguments that are absent, or the only ones.
module lengths
contains
  subroutine plain(text, n)
    integer :: n
    character(n) :: text
    print *, text
  end subroutine
  subroutine rows(lines, n)
    integer :: n
    character(n) :: lines(:)
    print *, lines
  end subroutine
  subroutine sequence(lines, n)
    integer :: n
    character(n) :: lines(2)
    print *, lines
  end subroutine
  subroutine pointed(p, n)
    integer :: n
    character(n), pointer :: p
    if (.not. associated(p)) allocate(p)
    p = 'pointed'
    print *, p
    deallocate(p)
  end subroutine
  subroutine optional_one(unit)
    character(3), optional :: unit
    print *, present(unit)
    if (present(unit)) print *, unit
  end subroutine
  subroutine passed_on(unit)
    character(*), optional :: unit
    call optional_one(unit)
  end subroutine
  elemental subroutine scale(x, by)
    real, intent(inout) :: x
    real, intent(in), optional :: by
    if (present(by)) x = x * by
  end subroutine
  subroutine all_of(weights)
    real, intent(in), optional :: weights(:)
    real :: values(3)
    values = 1.0
    call scale(values, weights)
    print *, values
  end subroutine
  subroutine seeds(size, get)
    integer, optional :: size, get(:)
    call random_seed(size = size, get = get)
  end subroutine
end module
program right
  use lengths
  character(8) :: word = 'eight ch', list(3) = 'abcdefgh'
  character(7), pointer :: p
  integer :: n
  integer, allocatable :: get(:)
  call plain(word, 8)
  call plain(word, 3)
  call plain(word(2:5), 0)
  call rows(list, 8)
  call rows(list(1:0), 8)
  call sequence(list, 12)
  nullify(p)
  call pointed(p, 7)
  call passed_on()
  call passed_on('metre')
  call all_of()
  call all_of([1.0, 2.0, 3.0])
  call seeds(n)
  allocate(get(n))
  call seeds(get = get)
end program
